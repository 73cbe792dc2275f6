/** The texts around a vote, which are loaded when they are needed (see texts.ts). */
export const voteTexts = {
  onePerVisitor: 'Elige bien: solo se cuenta un voto por persona.',
  opens: (when: string) => `La votación empieza ${when}.`,
  closed: 'La votación ya terminó.',
  hints: { before: 'Todavía no se puede votar', closed: 'Ya no se puede votar' },

  place: (place: number, isShared: boolean, votes: string) => {
    if (place === 1) return `${isShared ? 'Empata' : 'Va'} en cabeza, con ${votes}`;
    return `${isShared ? 'Empata como' : 'Va'} ${place}.º, con ${votes}`;
  },

  share: 'Compartir',
  voted: (name: string) => `Yo voté por ${name} como juego del año. ¿Y tú?`,
  invitation: 'Vota por el juego del año:',
  copied: 'Enlace copiado.',
  copyThis: (url: string) => `Copia el enlace: ${url}`,
  qrCode: (url: string) => `Código QR para votar en ${url}`,
} as const;
