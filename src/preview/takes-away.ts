import type { PreviewSettings } from '../contract/dashboard/templates/template-preview.ts'

/** Whether settings leave something unsaid that others say, such as a colour, a field or an element's style. */
export function takesAway(before: PreviewSettings, after: PreviewSettings): boolean {
  const said = new Set(placesOf(after))
  return placesOf(before).some((place) => !said.has(place))
}

function placesOf({ texts, styles, element_styles = [], ...others }: PreviewSettings): string[] {
  const named = (group: string, values: object = {}) => Object.keys(values).map((name) => `${group}.${name}`)
  const elements = element_styles.flatMap(({ element, state = '', styles: properties }) =>
    named(`${element}:${state}`, properties),
  )
  const single = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return [...named('texts', texts), ...named('styles', styles), ...elements, ...single]
}
