import { vi } from 'vitest';

/** A fake EventSource whose events the test emits. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  /** Those since `stub` was called, the newest first. */
  static all: FakeEventSource[] = [];
  readyState = 1;
  onmessage: ((event: MessageEvent) => void) | undefined;
  onerror: (() => void) | undefined;

  /** Replaces EventSource until the end of the test. */
  static stub() {
    FakeEventSource.all = [];
    vi.stubGlobal('EventSource', FakeEventSource);
  }

  constructor() {
    super();
    FakeEventSource.all.unshift(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
  }

  emit(data: string) {
    if (this.readyState !== FakeEventSource.CLOSED)
      this.onmessage?.(new MessageEvent('message', { data }));
  }

  /** @param readyState 0: the browser reconnects by itself; 2: it has given up */
  fail(readyState: 0 | 2) {
    this.readyState = readyState;
    this.onerror?.();
  }
}
