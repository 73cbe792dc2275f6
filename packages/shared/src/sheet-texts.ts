/** The texts of the sheet of voting codes, which is printed and cut. */
export const sheetTexts = {
  title: 'Códigos para votar',
  /** @param event the name of the event, if it has one */
  vote: (event: string | undefined) => `Tu voto por el juego del año${event ? ` · ${event}` : ''}`,
  how: (address: string) => `Escanea, o escribe este código en ${address}`,
  qrCode: (code: string) => `Código QR de ${code}`,
  secret:
    'Quien lo tenga vota con él, y puede ver y cambiar ese voto. Si cambias de navegador, escanéalo otra vez.',
} as const;
