import type { Element, ElementProperty } from '../../contract/page/widget-appearance.ts'

/** States of a part of the form that can be styled apart. */
export type StateOf<Part extends Element> = {
  input: 'focus' | 'error'
  submit_button: 'hover'
  label: never
  title: never
  title_description: never
}[Part]

/** Styles of one part of the form. */
export type ElementStyles = Partial<Record<ElementProperty, string>>
