/** Height of the card form as it is built, in px, in a container of any usual width. */
export const CARD_FORM_HEIGHT = 339

/** The address of a form's document, and how it will look. */
interface EarlyForm {
  /** Origin of the service. */
  origin: string
  /** The SDK release that the page loads, such as `v1.3.0`: the form is adopted by that one only. */
  release: string
  document: 'frame' | 'checkout'
  /** What the document's address asks for; undefined values are left out. */
  query: Readonly<Record<string, string | undefined>>
  /** In px: what the form will need, so that nothing below it moves. */
  height: number
  /** Whether the page sets fields, texts or looks: then nothing shows before they are there. */
  isCustomised: boolean
}

/**
 * The iframe of a form for a page's own HTML, by its attributes: it loads beside the SDK, which adopts it. A strict policy would ignore a
 * `style`; `align="top"` keeps the line that holds it as high as itself.
 */
export function frameAttributes({ origin, release, document, query, height, isCustomised }: EarlyForm) {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return {
    src: `${origin}/sdk/${release}/${document}?${asked.join('&')}${isCustomised ? '#late' : ''}`,
    title: 'Card details',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    allow: '',
    referrerpolicy: 'no-referrer',
    width: '100%',
    height: String(Math.ceil(height)),
    frameborder: '0',
    align: 'top',
  } as const
}

/** The same as HTML. */
export function frameHtml(form: EarlyForm): string {
  const written = Object.entries(frameAttributes(form)).map(([name, value]) => `${name}="${escaped(value)}"`)
  return `<iframe ${written.join(' ')}></iframe>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replaceAll(/[&"<>]/g, (character) => ENTITIES[character] ?? character)
}
