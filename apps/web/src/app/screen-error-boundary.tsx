import { texts } from '@goty/shared/texts';
import { Component, type ReactNode } from 'react';
import { ScreenMessage } from '../base/screen-message.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows a way out where a screen cannot be drawn, a file of it that did not come among them. */
export class ScreenErrors extends Component<Props, { readonly hasFailed: boolean }> {
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
