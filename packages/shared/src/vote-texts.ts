import { sentence } from './sentence.ts';

/** The texts of a vote that is cast before the screens' code has loaded. texts.ts says where the others are. */
export const voteTexts = {
  /** Why a request failed, and what to do. */
  failures: {
    unreachable: 'No hemos podido conectar. Revisa tu conexión e inténtalo de nuevo.',
    late: 'El servidor tarda en responder. Inténtalo de nuevo en un momento.',
    busy: 'Hay mucha gente votando ahora. Inténtalo de nuevo en un momento.',
    broken: 'Algo falla por nuestra parte. Inténtalo de nuevo en un momento.',
  },

  dialog: {
    success: 'Gracias',
    failure: 'Ooops',
    confirm: 'Aceptar',
    /** Follows the reason why a vote failed. */
    once: 'Puedes reintentarlo: solo contará una vez.',
    change: {
      title: '¿Cambiar tu voto?',
      text: (from: string, to: string) =>
        `Ahora votas por ${sentence(from)} Pasarías a votar por ${sentence(to)}`,
      yes: 'Cambiar mi voto',
      no: 'Dejarlo como está',
    },
  },

  /** The address of inicio that points at the bar of the visitor's game. */
  yourResult: '/inicio#tu-voto',
} as const;
