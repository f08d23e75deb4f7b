import type { CardWidgetProps } from './component-props.ts'
import { useCardWidget } from './use-card-widget.ts'
import type { Box, Hooks } from './use-card-widget.ts'

/** The part of React that the component uses. The page passes in its own React, of any version with hooks. */
export interface ReactLike<Node> extends Hooks {
  createElement: (
    type: 'div',
    props: { ref: Box<HTMLDivElement | null>; className: string | undefined },
  ) => Node
}

/** `const CardWidget = createCardWidget(React)`: the widget as a component, for what is like React, such as Preact. */
export function createCardWidget<Node>(react: ReactLike<Node>): (props: CardWidgetProps) => Node {
  return function CardWidget(props) {
    const ref = useCardWidget(react, props, () => undefined)
    return react.createElement('div', { ref, className: props.className })
  }
}
