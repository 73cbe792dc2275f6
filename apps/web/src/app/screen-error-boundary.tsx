import { texts } from '@goty/shared/texts';
import { Component, type PropsWithChildren } from 'react';
import { ScreenMessage } from '../base/screen-message.tsx';

interface State {
  readonly failure?: 'crashed' | 'lostChunk';
}

/** Offers to reload the page when a screen fails to render, or one of its chunks to load. */
export class ScreenErrorBoundary extends Component<PropsWithChildren, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    // Each browser has its own message for a chunk that cannot be loaded, and Vite one for styles.
    return { failure: /module|preload/i.test(error.message) ? 'lostChunk' : 'crashed' };
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <ScreenMessage
        title={texts.states[failure]}
        hint={texts.states.failures[failure === 'lostChunk' ? 'unreachable' : 'broken']}
        action={{ label: texts.states.reload, run: () => window.location.reload() }}
      />
    );
  }
}
