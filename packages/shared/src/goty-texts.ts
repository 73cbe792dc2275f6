/** The texts of goty that are loaded after its cards: of the vote's times, and of what a vote leads to (see texts.ts). */
export const gotyTexts = {
  opens: (when: string) => `La votación empieza ${when}.`,

  place: (place: number, isShared: boolean, votes: string, isOver: boolean) => {
    const [is, ties] = isOver ? ['Ha quedado', 'Ha empatado'] : ['Va', 'Empata'];
    if (place > 1) return `${isShared ? `${ties} como` : is} ${place}.º, con ${votes}`;
    if (isOver && !isShared) return `Ha ganado, con ${votes}`;
    return `${isShared ? ties : is} en cabeza, con ${votes}`;
  },

  search: 'Buscar un juego',
  found: (count: number, text: string) => {
    if (count === 0) return `No hay ningún juego con «${text}».`;
    return `${count} ${count === 1 ? 'juego encontrado' : 'juegos encontrados'}`;
  },

  all: 'Ver todos los juegos',

  again: (name: string) => `Ya habías votado por ${name}. Tu voto sigue contando.`,
} as const;
