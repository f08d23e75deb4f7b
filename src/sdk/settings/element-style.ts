import { ELEMENT_PROPERTIES, ELEMENTS } from '../../contract/page/widget-appearance.ts'
import type { Element, ElementState } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { ElementStyles } from './styled-element.ts'
import { knownEntries, knownNames } from './known-entries.ts'

const STATES: Partial<Record<Element, ElementState[]>> = {
  input: ['focus', 'error'],
  submit_button: ['hover'],
}

type StyledElements = NonNullable<WidgetSettings['element_styles']>

/** The list with some styles of one part, in one of its states or at rest, added to those it had. */
export function withElementStyle(
  before: StyledElements,
  part: Element,
  state: ElementState | undefined,
  styles: ElementStyles,
): StyledElements {
  const [element] = knownNames('elements', ELEMENTS, [part])
  if (!element) return before
  if (state && knownNames(`states of ${element}`, STATES[element] ?? [], [state]).length === 0) return before
  const known = knownEntries(`styles of ${element}`, ELEMENT_PROPERTIES, styles)
  const isSame = (item: StyledElements[number]) => item.element === element && item.state === state
  const merged = { element, ...(state && { state }), styles: { ...before.find(isSame)?.styles, ...known } }
  return [...before.filter((item) => !isSame(item)), merged]
}
