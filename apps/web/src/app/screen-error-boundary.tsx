import { texts } from '@goty/shared/texts';
import { Component, type ReactNode } from 'react';
import { ScreenMessage } from '../base/screen-message.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Offers to reload the page when a screen fails to render, or one of its chunks to load. */
export class ScreenErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ScreenMessage
        title={texts.states.crashed}
        hint={texts.states.retryHint}
        action={{ label: texts.states.reload, run: () => window.location.reload() }}
      />
    );
  }
}
