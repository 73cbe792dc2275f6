import { MAX_BROWSERS } from './desk-protocol.ts';

/** The texts of the operator's desk, which visitors never load. */
export const deskTexts = {
  title: 'Mesa',
  vote: (address: string) => `GOTY en ${address}`,
  healthy: 'Todo funciona',
  unhealthy: 'Ahora no se pueden guardar votos',
  lost: 'Sin conexión. Lo que se ve puede ser de antes.',
  changed: 'Algo ha cambiado mientras tanto. Mira cómo está ahora, por si ya no hace falta.',
  invited: 'Con este enlace, un solo navegador podrá llevar la votación.',
  open: 'Abrir la mesa aquí',
  unkept: 'Este navegador no guarda datos: abre el enlace en otro.',
  perhapsDone: 'No se sabe si se ha hecho: mira el recuento de abajo.',
  notDone: (why: string) => `No se ha hecho: ${why}`,
  elsewhere: 'Por seguridad, la mesa solo se abre con https o en este mismo equipo.',
  behindProxy:
    'El servidor no sabe que la página llega por https: arráncalo con `TRUST_PROXY=1` si delante hay un proxy.',
  inContainer:
    'El servidor corre en un contenedor y no ve que la página se abre en este mismo equipo: hace falta https, o arrancarlo con `--network host`.',
  tooMany: 'Demasiados intentos desde esta red. Se vuelve a probar en un minuto.',
  full: `Ya hay ${MAX_BROWSERS} navegadores con la mesa: antes hay que quitar el acceso a uno.`,
  tooManyLinks: 'Se han creado demasiados enlaces. Se puede crear otro en un cuarto de hora.',
  oldLink: 'Este enlace ya se ha usado o ha caducado. Pide otro con `goty desk`.',
  ended: 'La mesa se ha cerrado en este navegador. Pide otro enlace con `goty desk`.',
  phases: { before: 'Aún no ha empezado', open: 'Abierta', closed: 'Cerrada' },
  opensAt: (when: string) => `La votación empezará ${when}.`,
  closesIn: (clock: string) => `Termina en ${clock}`,
  closesAt: (when: string) => `La votación terminará ${when}.`,
  noClose: 'La votación no tiene hora de cierre.',
  /** Says what happens if the close is cancelled, and there was none before. */
  noCloseThen: 'La votación se quedará sin hora de cierre.',
  hidden: {
    before: 'El recuento está oculto',
    open: 'El recuento está oculto',
    closed: 'El resultado aún no se ha mostrado',
  },
  shown: { before: 'El recuento se ve', open: 'El recuento se ve', closed: 'El resultado se ve' },
  hidesAt: (when: string) => `El recuento se ocultará ${when}`,
  onlyYou: 'Solo tú lo ves',
  voided: (votes: string) => `Votos anulados (no se cuentan): ${votes}`,
  codes: (voted: string, made: string) => `Códigos que han votado: ${voted} de ${made}`,
  no: 'No',
  close: 'Cerrar la votación',
  closeSure: (ms: number) =>
    `La votación terminará en ${ms / 1_000} s: inicio y la sala lo anuncian. El resultado no se verá hasta que lo muestres.`,
  closing: 'Ya no da tiempo a cerrar antes.',
  closingInSight:
    'Ya no da tiempo a cerrar antes. El resultado se verá al cierre, salvo que ocultes el recuento.',
  cancel: 'Cancelar el cierre',
  later: 'Cinco minutos más',
  startLater: 'Empezar más tarde',
  reopen: 'Abrir de nuevo',
  reopenSure:
    'Se podrá votar otra vez, sin hora de cierre, hasta que cierres la votación. El recuento seguirá oculto. Si la hora a la que ha terminado se puso hace un minuto o más, con el resultado se dirá que se reabrió.',
  hide: 'Ocultar el recuento',
  hideSure: 'Se seguirá votando, pero nadie verá los votos nuevos hasta que muestres el resultado.',
  reveal: 'Mostrar el resultado',
  revealSure: (votes: string, faults: number) =>
    `${votes}, ${faults === 0 ? 'todo cuadra' : 'pero no todas las sumas cuadran: valdrán las papeletas'}. Todas las pantallas mostrarán el ganador.`,
  lastMinute: (votes: string) => `Votos del último minuto: ${votes}`,
  traffic: 'Buscar votos sospechosos',
  /** @param when the time at which suspicious votes were looked for */
  calm: (when: string) => `Visto ${when}: ningún minuto llama la atención.`,
  marked: (when: string) => `Visto ${when}: esto llama la atención.`,
  guess:
    'Lo que llama la atención puede cambiar mientras dura el minuto. Con pocos minutos de votos o pocos juegos, es una conjetura.',
  anomaly: (game: string, times: string) => `${game} (${times})`,
  genuine: (votes: string, expected: string) => {
    if (expected === '0') return `${votes}, quizá ninguno auténtico`;
    return `${votes}, ${expected === '1' ? 'uno quizá auténtico' : `unos ${expected} quizá auténticos`}`;
  },
  void: 'Anular',
  voidSure: (genuine: string) => `Fuera del recuento: ${genuine}. Se puede deshacer.`,
  inSight: (leader: string | undefined, isOver: boolean) => {
    const next = isOver ? 'ser el juego del año' : 'ir en cabeza';
    return `Todos verán ahora mismo el nuevo recuento${leader ? `: ${leader} pasará a ${next}` : ''}.`;
  },
  undo: 'Deshacer',
  undoSure: (votes: string) => `De vuelta al recuento: ${votes}.`,
  acts: 'Lo que se ha hecho',
  did: {
    init: 'Preparar la votación',
    times: 'Cambiar las horas',
    reveal: 'Mostrar el resultado',
    void: 'Anular votos',
    undo: 'Volver a contar votos',
    nominees: 'Cambiar los juegos',
    remove: 'Quitar un juego',
    import: 'Importar votos',
    reset: 'Empezar de cero',
    repair: 'Corregir las sumas',
    invite: 'Dejar entrar a otro navegador',
    revoke: 'Quitar el acceso a un navegador',
    codes: 'Crear códigos',
    'revoke-code': 'Anular un código',
    'end-codes': 'Terminar con los códigos',
  },
  by: { command: 'desde la terminal', desk: 'en la mesa', server: 'por el servidor' },
  moved: { opensAt: 'apertura', closesAt: 'cierre', frozenAt: 'ocultación del recuento' },
  never: 'sin hora',
  browsers: (count: string) => `Navegadores con la mesa: ${count}`,
  browser: (when: string, isThis: boolean) => `Entró ${when}${isThis ? ' · este navegador' : ''}`,
  invite: 'Dejar entrar a otro navegador',
  inviteSure: 'Aparecerá un código. Quien lo escanee o abra su enlace podrá llevar la votación.',
  qrCode: 'Código QR de la mesa',
  invitation: (until: string, isForAll: boolean) =>
    `Para un solo navegador${isForAll ? '' : ' de este mismo equipo'}, una vez, hasta ${until}.`,
  revoke: 'Quitar el acceso',
  revokeSure: 'Ese navegador ya no podrá llevar la votación. Para volver necesitará otro enlace.',
  forget: 'Olvidar la mesa en este navegador',
  forgetSure: 'Para volver a abrirla aquí hará falta otro enlace.',
} as const;
