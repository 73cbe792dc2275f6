import { sentence } from './sentence.ts';

/** The texts of headline, chart, legend, table and stage, which are loaded with them (see texts.ts). */
export const resultTexts = {
  xAxis: 'Juegos',
  yAxis: 'Votos',
  chartLabel: 'Gráfico de barras con los votos de cada juego',
  legendLabel: 'Leyenda',
  ranking: 'Clasificación',
  tableCaption: 'Votos de cada juego',
  tableGame: 'Juego',
  tableVotes: 'Votos',
  tableShare: 'Porcentaje',
  lessThan: (share: string) => `< ${share}`,
  votes: (count: string, isOne: boolean) => `${count} ${isOne ? 'voto' : 'votos'}`,
  watching: (viewers: string) => `${viewers} mirando`,
  total: (votes: string) => `Total: ${votes}`,
  place: (rank: number) => `${rank}.º`,
  none: 'Todavía no hay votos',
  first: 'El primer voto puede ser el tuyo.',
  leads: (name: string) => `${name} va en cabeza`,
  fullScreen: 'Pantalla completa',
  newLeader: 'Nuevo líder',
  ties: 'Empate en cabeza',
  each: (votes: string, names: string) => `Con ${votes} cada uno: ${sentence(names)}`,
  with: (votes: string, share: string) => `Con ${votes} (${share})`,
  ahead: (count: string, names: string) => `, ${count} más que ${names}`,
  of: (votes: string, total: string) => `Con ${votes} de ${total}.`,
  games: (count: number) => `${count} juegos`,
  wins: (name: string) => `${name} es el juego del año`,
  winner: 'El juego del año',
  third: 'Tercer puesto',
  second: 'Segundo puesto',
  tied: 'Empate',
  tiesClosed: 'La votación ha terminado en empate',
  noneClosed: 'No hay votos',
  opensAt: (when: string) => `La votación empieza ${when}`,
  nowOpen: '¡Ya puedes votar!',
  lastSeconds: 'Últimos segundos para votar',
  /** Said only where it is clear that the vote is what ends. Elsewhere, `closes` is said. */
  ends: (when: string) => `Termina ${when}`,
  closes: (when: string) => `La votación termina ${when}`,
  frozen: 'Recuento en secreto hasta el final',
  ended: 'La votación ha terminado',
  held: 'El resultado se anunciará en breve',
  /** The time comes last: where there is no room, the time is cut, and not the verb. */
  hidden: (when: string) =>
    `Aún no se muestran los votos posteriores a ${when}.`.replace(' a el ', ' al '),
  countUntil: (when: string) => `Recuento hasta ${when}`,
  scan: 'Escanea para votar',
  voteAt: 'Vota en',
  more: (games: string, votes: string) => `y ${games} más${votes && `: ${votes}`}`,
  /** @param times when these votes were cast */
  voided: (votes: string, isOne: boolean, times: string) =>
    `La organización anuló ${votes}${times && `, ${isOne ? 'emitido' : 'emitidos'} ${times}`}.`,
  /** @param from hour of a day, like `to` */
  range: (from: string, to: string) =>
    from === to ? `${/^0?1:/.test(from) ? 'a la' : 'a las'} ${from}` : `de ${from} a ${to}`,
  /** @param from day and hour, like `to` */
  daysRange: (from: string, to: string) => (from === to ? from : `desde ${from} hasta ${to}`),
  moments: (count: string, range: string) => `en ${count} momentos, ${range}`,
  /** Stands in place of a range of time that begins and ends in the same minute. */
  seconds: 'unos segundos',
  postponed: (range: string) => `El cierre se aplazó ${range}.`,
  advanced: (range: string) => `El cierre se adelantó ${range}.`,
  reopened: (when: string) => `La votación se reabrió ${when}.`,
  /** Said only below `ended`, which says what has ended. Elsewhere, `closedAt` is said. */
  endedAt: (when: string) => `Terminó ${when}.`,
  closedAt: (when: string) =>
    `La votación ${when.startsWith('hoy ') ? 'ha terminado' : 'terminó'} ${when}.`,
  shown: (first: string, last: string, count: string) =>
    `Juegos ${first} a ${last} de ${count}: desplaza el gráfico para ver los demás.`,
  scrollable: 'Gráfico, se puede desplazar',
} as const;

/** The texts of the share button and of pictures to share, which are loaded with the texts above. */
export const shareButtonTexts = {
  share: 'Compartir',
  /** @param isOpen whether those who read this can vote, too */
  voted: (name: string, isOpen: boolean) =>
    `He votado por ${name} como juego del año.${isOpen ? ' ¿Y tú?' : ''}`,
  invitation: 'Vota por el juego del año:',
  copied: 'Enlace copiado.',
  picture: 'Guardar imagen',
  pictureReady: 'Si tu navegador no ha guardado la imagen, mantenla pulsada aquí para guardarla.',
  pictureGuarded:
    'Tu navegador protege lo que dibujan las páginas. Si te pide permiso, dáselo y vuelve a intentarlo.',
  noPicture: 'No hemos podido crear la imagen.',
  copyThis: (url: string) => `Copia el enlace: ${url}`,
  qrCode: (url: string) => `Código QR para votar en ${url}`,
} as const;
