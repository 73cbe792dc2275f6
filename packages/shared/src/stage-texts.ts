/** The texts of the stage alone, which are loaded with it (see texts.ts). */
export const stageTexts = {
  scan: 'Escanea y vota',
  more: (games: string, votes: string) => `y ${games} más${votes && `: ${votes}`}`,
} as const;
