/** The texts of goty that are loaded after its cards: of what a vote leads to, and of the search (see texts.ts). */
export const gotyTexts = {
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
