/** The texts around both screens, which are loaded with React: of the navigation bar, and of a failed screen (see texts.ts). */
export const appTexts = {
  title: 'GOTY',

  nav: {
    label: 'Principal',
    brand: 'GOTY, ir al inicio',
    inicio: 'Inicio',
    votar: 'Votar',
    skip: 'Saltar al contenido',
  },

  crashed: 'Algo ha fallado al mostrar la página.',
  lostChunk: 'Falta una parte de la página.',
  reload: 'Recargar la página',
} as const;
