/** The keys that a driver can press, as WebDriver writes them. */
const KEYS = { Enter: '\uE006', Escape: '\uE00C', Space: ' ' } as const;
type Key = keyof typeof KEYS;

/** A window of an engine, which has one page. Coordinates and sizes are in CSS pixels. */
export interface Driver {
  /** Begins to load a page, and does not wait for it. */
  navigate(url: string): Promise<void>;
  /** Resolves with the value of an expression in the page, which must be a string. */
  evaluate(expression: string): Promise<string>;
  resize(width: number, height: number): Promise<void>;
  /** Sets what the visitor's system wants: a theme, and whether motion is reduced. */
  setLook(look: { theme: 'dark' | 'light'; isStill: boolean }): Promise<void>;
  click(x: number, y: number): Promise<void>;
  press(key: Key): Promise<void>;
  screenshot(): Promise<Buffer>;
  print(): Promise<Buffer>;
  /** What the console has reported as errors since the last call. */
  takeErrors(): Promise<string[]>;
  close(): Promise<void>;
}

export function clickAction(x: number, y: number) {
  const button = 0;
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button },
      { type: 'pointerUp', button },
    ],
  };
}

export function keyAction(key: Key) {
  const value = KEYS[key];
  return {
    type: 'key',
    id: 'keyboard',
    actions: [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ],
  };
}
