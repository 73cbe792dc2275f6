import { sentence } from './sentence.ts';

/** Texts that are loaded after the cards of goty (see texts.ts). */
export const gotyTexts = {
  place: (place: number, isShared: boolean, votes: string, isOver: boolean) => {
    const [is, ties] = isOver ? ['Ha quedado', 'Ha empatado'] : ['Va', 'Empata'];
    // '1.er' for 'primer' and '3.er' for 'tercer', also at the end of longer ordinals, but '11.º' for 'undécimo'.
    const ending = /[13]$/.test(`${place}`) && place !== 11 ? 'er' : 'º';
    if (place > 1 && isShared) return `${ties} en el ${place}.${ending} puesto, con ${votes}`;
    if (place > 1) return `${is} ${place}.º, con ${votes}`;
    if (isOver && !isShared) return `Ha ganado, con ${votes}`;
    return `${isShared ? ties : is} en cabeza, con ${votes}`;
  },

  search: 'Buscar un juego',
  found: (count: number, text: string) => {
    if (count === 0) return `No hay ningún juego con «${text}».`;
    return `${count} ${count === 1 ? 'juego encontrado' : 'juegos encontrados'}`;
  },

  all: 'Ver todos los juegos',

  code: {
    label: 'Tu código para votar',
    hint: 'Hace falta un código',
    needed: 'Escribe tu código para votar, o abre su enlace.',
    send: 'Usar',
    other: 'Votar con otro código',
    back: 'Dejarlo',
    incomplete: 'Un código tiene 16 letras y números: a este le falta o le sobra alguno.',
  },

  again: (name: string) => `Ya habías votado por ${sentence(name)} Tu voto sigue contando.`,
} as const;
