export const sheetTexts = {
  title: 'Códigos para votar',
  vote: 'Tu voto por el juego del año',
  how: (address: string) => `Escanea, o escribe este código en ${address}`,
  qrCode: (code: string) => `Código QR de ${code}`,
  secret:
    'Quien lo tenga vota con él, y puede ver y cambiar ese voto. Si cambias de navegador, escanéalo otra vez.',
} as const;
