import { texts } from '@goty/shared/texts';
import { Component, type ReactNode } from 'react';
import { isLostChunk } from '../base/lost-chunks.ts';
import { ScreenMessage } from '../base/screen-message.tsx';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly failure: 'crashed' | 'lostChunk' | undefined;
}

/** Offers to reload the page when a screen fails to render, or one of its chunks to load. */
export class ScreenErrorBoundary extends Component<Props, State> {
  override state: State = { failure: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: isLostChunk(error) ? 'lostChunk' : 'crashed' };
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <ScreenMessage
        title={texts.states[failure]}
        hint={texts.states[`${failure}Hint`]}
        action={{ label: texts.states.reload, run: () => window.location.reload() }}
      />
    );
  }
}
