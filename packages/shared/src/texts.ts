// Every Spanish text that a visitor reads, apart from the names of the games.

/** Why a request failed, and what to do. */
const failures = {
  unreachable: 'No pudimos comunicarnos con el servidor. Revisa tu conexión e inténtalo de nuevo.',
  late: 'El servidor tarda demasiado en responder. Inténtalo de nuevo en un momento.',
  busy: 'Hay demasiadas visitas a la vez. Inténtalo de nuevo en un momento.',
  broken: 'Algo falla de nuestro lado. Inténtalo de nuevo en un momento.',
} as const;

const ONCE = 'Tu voto se contará una sola vez.';

/** The texts of the page. Those quoted in SPEC.md must match it exactly. */
export const texts = {
  title: 'GOTY',

  nav: {
    label: 'Principal',
    brand: 'GOTY, ir al inicio',
    inicio: 'Inicio',
    votar: 'Votar',
    skip: 'Saltar al contenido',
  },

  inicio: {
    title: 'Resultado en directo · GOTY',
    heading: 'Game of the year',
    lead: 'El resultado se mueve solo con cada voto.',
    xAxis: 'Juegos',
    yAxis: 'Votos',
    chartLabel: 'Gráfico de barras con los votos de cada juego',
    legendLabel: 'Leyenda',
    tableCaption: 'Votos de cada juego',
    tableGame: 'Juego',
    tableVotes: 'Votos',
    tableShare: 'Porcentaje',
    votes: (count: string, isOne: boolean) => `${count} ${isOne ? 'voto' : 'votos'}`,
    lessThan: (share: string) => `< ${share}`,
    total: (votes: string) => `Total: ${votes}`,
    leads: (name: string, votes: string, total: string) =>
      `${name} va en cabeza con ${votes}. Total: ${total}.`,
    tie: (names: string, votes: string, total: string) =>
      `Empate en cabeza entre ${names}, con ${votes} cada uno. Total: ${total}.`,
    games: (count: number) => `${count} juegos`,
    noVotes: 'Todavía no hay votos.',
    shown: (first: string, last: string, count: string) =>
      `Juegos ${first} a ${last} de ${count}: desplaza el gráfico para ver los demás.`,
    scrollable: 'Gráfico, se puede desplazar',
    loading: 'Cargando los votos…',
    live: 'En directo',
    offline: 'Sin conexión. Mostramos el último resultado; seguimos intentando.',
    offlineEmpty: 'No hay conexión con el servidor, así que todavía no podemos mostrar los votos.',
    failed: 'No pudimos mostrar el gráfico.',
  },

  goty: {
    title: 'Votar por el juego del año · GOTY',
    heading: 'votar por el juego del año',
    hint: 'Click aqui para votar',
    vote: 'Votar',
    voting: 'Enviando…',
    yourVote: 'Tu voto',
    loading: 'Cargando los juegos nominados…',
    failed: 'No pudimos cargar los juegos nominados.',
  },

  states: {
    empty: 'Todavía no hay juegos nominados.',
    emptyHint: 'Vuelve en un rato: aparecerán aquí.',
    failures,
    retry: 'Reintentar',
    crashed: 'Algo falló al mostrar la página.',
    lostChunk: 'Falta una parte de la página.',
    reload: 'Recargar la página',
  },

  dialog: {
    success: 'Gracias',
    failure: 'Ooops',
    confirm: 'Aceptar',
    unreachable: `${failures.unreachable} ${ONCE}`,
    timedOut: `${failures.late} ${ONCE}`,
    busy: `${failures.busy} ${ONCE}`,
    broken: `${failures.broken} ${ONCE}`,
  },
} as const;

/** The texts that the build writes into the HTML and the manifest. */
export const metadata = {
  name: 'GOTY: el juego del año',
  description: 'Vota por el juego del año y mira el resultado en directo.',
  late: 'La página no termina de cargar. Revisa tu conexión.',
  noScript: 'Esta página necesita JavaScript para votar y mostrar el resultado.',
} as const;

/** The texts of the API, separate from `texts` to keep them out of the page's JavaScript. */
export const apiTexts = {
  counted: (name: string) => `Tu voto por ${name} quedó registrado.`,
  alreadyVoted: 'Ya habías votado por otro juego: se cuenta un voto por visitante.',
  keyReused: 'Ese envío ya se usó para votar por otro juego. Vuelve a pulsar «Votar».',
  notOpenYet: 'La votación todavía no ha empezado.',
  closed: 'La votación ya terminó.',
  unknownGame: 'Ese juego no está entre los nominados.',
  crossSite: 'Desde la página de otro sitio no se puede votar: abre la de GOTY y vota allí.',
  badKey: 'El identificador del envío no es válido.',
  badBody: 'No pudimos leer el voto: el contenido tiene que ser un objeto JSON.',
  bodyTooLarge: 'El contenido del voto es demasiado grande: el máximo es 1 kB.',
  unsupportedMedia: 'No podemos leer un contenido con esa codificación.',
  badRequest: 'No pudimos entender la petición.',
  requestTimeout: 'La petición tardó demasiado en llegar. Vuelve a intentarlo.',
  methodNotAllowed: 'Esa operación no está permitida en esta dirección.',
  notFound: 'Esa dirección no existe.',
  overloaded: 'Hay demasiados votos a la vez. Espera unos segundos y vuelve a votar.',
  tooManyStreams:
    'Hay demasiadas páginas mirando el resultado. Vuelve a intentarlo en unos segundos.',
  tooManyVotes:
    'Desde tu red llegaron demasiados votos en un minuto. Espera un minuto y vuelve a votar.',
  timedOut: 'No pudimos confirmar tu voto a tiempo. Espera unos segundos y vuelve a votar.',
  unavailable: 'El servicio no está disponible ahora. Espera unos segundos y vuelve a intentarlo.',
  internal: 'Algo falló de nuestro lado. Vuelve a intentarlo en unos segundos.',
  healthy: 'Todo funciona.',
} as const;
