import { sentence } from './sentence.ts';

// Texts that are not needed at first are in modules of their own, to keep them out of the first JavaScript (SPEC W15).

/** The texts of the page. Those quoted in SPEC.md must match it exactly. */
export const texts = {
  inicio: {
    titles: {
      before: 'El juego del año · GOTY',
      open: 'Resultado en directo · GOTY',
      frozen: 'Recuento en secreto · GOTY',
      held: 'El resultado, en breve · GOTY',
      counting: 'El resultado, en breve · GOTY',
      offline: 'Resultado · GOTY',
      closed: 'Resultado final · GOTY',
    },
    heading: 'Game of the year',
    leads: {
      before: 'Aquí se verá el resultado, voto a voto.',
      open: 'El resultado cambia en directo con cada voto.',
      frozen: 'Los votos siguen contando. El resultado se verá al final.',
      closed: 'La votación ha terminado.',
      offline: 'Mostramos lo último que sabemos y seguimos intentándolo.',
    },
    vote: 'Vota por tu favorito',
    nominees: 'Ver los juegos',
    status: {
      loading: 'Cargando…',
      before: 'Aún no ha empezado',
      open: 'En directo',
      frozen: 'En secreto',
      closed: 'Resultado final',
      held: 'Terminada',
      counting: 'Contando los votos…',
      offline: 'Sin conexión',
    },
    offlineEmpty: 'Sin conexión: aún no podemos mostrar los votos.',
  },

  goty: {
    title: 'Votar por el juego del año · GOTY',
    heading: 'votar por el juego del año',
    notices: {
      before: 'Elige tu juego.',
      open: 'Elige tu juego.',
      frozen: 'Elige tu juego.',
      held: 'La votación ha terminado. El resultado se anunciará en breve.',
      counting: 'La votación ha terminado.',
      closed: 'La votación ha terminado.',
    },
    onePerVisitor: 'Solo se cuenta un voto por navegador, y puedes cambiarlo.',
    onePerCode: 'Con cada código hay un voto, y puedes cambiarlo.',
    afterVote: {
      notice: (name: string) => `Has votado por ${sentence(name)} Puedes cambiar tu voto.`,
      own: { hint: 'Ya has votado por este juego', label: 'Tu voto' },
      other: { hint: 'Click aqui para cambiar', label: 'Cambiar' },
    },
    hints: {
      before: 'Aún no se puede votar',
      open: 'Click aqui para votar',
      closed: 'Ya no se puede votar',
    },
    toResult: 'Ver el resultado',
    vote: 'Votar',
    voting: 'Enviando…',
    yourVote: 'Tu voto',
    failed: 'No hemos podido cargar los juegos.',
  },

  states: {
    empty: 'Aún no hay juegos nominados.',
    emptyHint: 'Vuelve en un rato: aparecerán aquí.',
    retry: 'Reintentar',
  },
} as const;

/** The name of the page where it is installed. */
export const APP_NAME = 'GOTY: el juego del año';

/** What every screen of a rehearsal says (SPEC P21). */
export const REHEARSAL = 'ENSAYO';

/** The preview of a link may be older than the vote's opening or close, so its title has to be true at any time. */
export const PREVIEW_TITLE = texts.inicio.titles.before;

/** The texts that the build writes into the HTML, each into the slot of its name. */
export const metadata = {
  description: 'El juego del año: los nominados, los votos y el resultado.',
  imageAlt: 'Un trofeo, «GOTY» con el año y las portadas de los nominados.',
  late: 'La página no termina de cargar. Revisa tu conexión.',
  old: 'Tu navegador es demasiado antiguo para esta página. Actualízalo para poder votar.',
  noScript: 'Esta página necesita JavaScript para votar y mostrar el resultado.',
} as const;

/** The texts of the API, separate from `texts` to keep them out of the page's JavaScript. */
export const apiTexts = {
  counted: (name: string) => `Tu voto por ${name} ha quedado registrado.`,
  moved: (name: string) => `Tu voto es ahora por ${sentence(name)}`,
  alreadyVotedFor: (name: string) =>
    `Ya has votado por ${sentence(name)} Solo se cuenta un voto por navegador.`,
  /** Said of an earlier vote whose game is not nominated any more. */
  alreadyVoted: 'Ya has votado por otro juego. Solo se cuenta un voto por navegador.',
  codeUsedFor: (name: string) => `Con este código ya se ha votado por ${sentence(name)}`,
  codeUsed: 'Con este código ya se ha votado por otro juego.',
  codeNeeded: 'Para votar hace falta un código.',
  codeWrong: 'Ese código no vale para esta votación. Revisa que esté bien escrito.',
  codeEnded: 'Ese código ya no vale: la organización lo ha anulado.',
  codeValid: 'El código vale.',
  nothingToReplace: 'Tu primer voto sigue contando; este navegador no puede cambiarlo.',
  keyReused: 'Ese envío ya se ha usado para votar por otro juego. Vuelve a pulsar «Votar».',
  notOpenYet: 'La votación todavía no ha empezado.',
  closed: 'La votación ha terminado.',
  unknownGame: 'Ese juego no está entre los nominados.',
  crossSite: 'Desde la página de otro sitio no se puede votar: abre la de GOTY y vota allí.',
  unverified:
    'No hemos podido comprobar que el voto viene de esta página. Vuelve a cargarla y vota otra vez.',
  badKey: 'El identificador del envío no es válido.',
  badBody: 'No hemos podido leer el voto: el contenido tiene que ser un objeto JSON.',
  bodyTooLarge: 'El contenido del voto es demasiado grande: el máximo es 1 kB.',
  unsupportedMedia: 'No podemos leer un contenido con esa codificación.',
  badRequest: 'No hemos podido entender la petición.',
  requestTimeout: 'La petición ha tardado demasiado en llegar. Vuelve a intentarlo.',
  methodNotAllowed: 'Esa operación no está permitida en esta dirección.',
  notFound: 'Esa dirección no existe.',
  overloaded: 'Hay demasiados votos a la vez. Espera unos segundos y vuelve a votar.',
  tooManyStreams:
    'Hay demasiadas páginas mirando el resultado. Vuelve a intentarlo en unos segundos.',
  tooManyVotes:
    'Desde tu red han llegado demasiados votos en un minuto. Espera un minuto y vuelve a votar.',
  timedOut: 'No hemos podido confirmar tu voto a tiempo. Espera unos segundos y vuelve a votar.',
  unavailable: 'El servicio no está disponible ahora. Espera unos segundos y vuelve a intentarlo.',
  internal: 'Algo ha fallado por nuestra parte. Vuelve a intentarlo en unos segundos.',
  healthy: 'Todo funciona.',
} as const;
