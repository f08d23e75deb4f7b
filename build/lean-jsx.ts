import { createElement, Fragment } from 'preact'
import type { ComponentType, VNode } from 'preact'

/**
 * The frame's JSX by the `createElement` that Preact has anyway: its runtime for JSX makes the same elements once more, and
 * brings what only a server needs.
 */
function jsx(type: ComponentType | string, props: object, key?: string): VNode {
  return createElement(type, key === undefined ? props : { ...props, key })
}

export { Fragment, jsx, jsx as jsxs }
