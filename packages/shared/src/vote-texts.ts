/** The texts around a vote, which are loaded when they are needed (see texts.ts). */
export const voteTexts = {
  onePerVisitor: 'Elige bien: se cuenta un solo voto por visitante.',
  opens: (when: string) => `La votación empieza el ${when}.`,
  closed: 'La votación ya terminó.',
  hints: { before: 'Todavía no se puede votar', closed: 'Ya no se puede votar' },

  place: (place: number, isShared: boolean, votes: string) => {
    if (isShared) return `Empata en el puesto ${place}, con ${votes}`;
    return place === 1 ? `Va en cabeza, con ${votes}` : `Va en el puesto ${place}, con ${votes}`;
  },

  share: 'Compartir',
  voted: (name: string) => `Yo voté por ${name} como juego del año. ¿Y tú?`,
  invitation: 'Vota por el juego del año:',
  copied: 'Enlace copiado.',
  copyThis: (url: string) => `Copia este enlace: ${url}`,
  qrCode: (url: string) => `Código QR para votar en ${url}`,
} as const;
