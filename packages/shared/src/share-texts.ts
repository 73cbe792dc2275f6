/** The texts of sharing, which are loaded when they are needed (see texts.ts). */
export const shareTexts = {
  share: 'Compartir',
  voted: (name: string) => `He votado por ${name} como juego del año. ¿Y tú?`,
  invitation: 'Vota por el juego del año:',
  copied: 'Enlace copiado.',
  copyThis: (url: string) => `Copia el enlace: ${url}`,
  qrCode: (url: string) => `Código QR para votar en ${url}`,
} as const;
