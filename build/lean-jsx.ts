import { createElement, Fragment as NoElement } from 'preact'
import type { ComponentType, VNode } from 'preact'

/**
 * The frame's JSX by the `createElement` that Preact has anyway: its runtime for JSX makes the same elements once more, and
 * brings what only a server needs.
 */
export function jsx(type: ComponentType | string, props: object, key?: string): VNode {
  return createElement(type, key === undefined ? props : { ...props, key })
}

/** @public */
export const jsxs: typeof jsx = (type, props, key) => jsx(type, props, key)
/** @public */
export const Fragment = NoElement
