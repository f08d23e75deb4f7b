import type { Language } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { WidgetError } from '../widget-error.ts'
import type { FormLayout } from './form-layout.ts'

/** Where the form goes in the page, and the address of its document. */
export interface FrameTarget {
  container: Element
  origin: string
  /** Path and query of the document below the origin; never personal data. */
  path: string
  /** Why it must not be asked for. */
  fault?: WidgetError | null
  /** Whether the form will look as its document was built, which may show before it has its settings then. */
  isAsBuilt: boolean
  /** What to keep free until the form reports its height. To know it, a browser must lay out the page. */
  layout: () => FormLayout
  /** Of the document, and of its title. */
  language: Language
}

/** Whether the form is shown and, if not, whether the page keeps its space free. */
export interface Visibility {
  display: 'block' | 'none'
  visibility: 'visible' | 'hidden'
}

/**
 * Placeholder behind the frame until its document is there: a bar for each text, input and button, in a grey that suits any
 * background. Lines begin where the page's texts do.
 */
function skeletonOf({ bars, padding }: FormLayout, isRightToLeft: boolean): string {
  const list = (part: (bar: FormLayout['bars'][number]) => string) => bars.map(part).join()
  const place = ({ top, isAtEnd = false }: FormLayout['bars'][number]) =>
    `${isAtEnd === isRightToLeft ? 'left' : 'right'} ${padding}px top ${top + padding}px`
  return (
    `background-image:${list(() => 'linear-gradient(#8882,#8882)')};background-repeat:no-repeat;` +
    `background-position:${list(place)};background-size:${list(({ width, height }) => `${width} ${height}px`)}`
  )
}

type ColorScheme = NonNullable<WidgetSettings['color_scheme']>

const SCHEME_NAMES = { light: '', dark: 'dark', 'light dark': 'both' } as const

/**
 * The fragment of a framed document's address, with its `#`, or ''. By it the document is painted right before its script runs and
 * the page has welcomed it. `late`: nothing shows until it has its settings, as it will look otherwise than it was built. `dark` and
 * `both`: the colour schemes of the page; without them it is light. Styles find it in `data-fragment` of the root element.
 */
function fragmentOf(isAsBuilt: boolean, scheme: ColorScheme): string {
  const name = [isAsBuilt ? '' : 'late', SCHEME_NAMES[scheme]].filter(Boolean).join('-')
  return name && `#${name}`
}

/**
 * The iframe of a form, which is not yet in the page. Styled through CSSOM alone, which a page's Content-Security-Policy without
 * 'unsafe-inline' allows.
 *
 * `allow-same-origin` means the widget's own origin, not the page's; without it the frame could not tokenise. No referrer
 * is sent: `frame-ancestors` guards the document, and the address of the merchant's page is private.
 */
export function createFrameElement(target: FrameTarget, scheme: ColorScheme): HTMLIFrameElement {
  const { origin, path, language, isAsBuilt } = target
  const frame = document.createElement('iframe')
  Object.assign(frame, {
    title: 'Card details',
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    allow: '',
    referrerPolicy: 'no-referrer',
    lang: language,
    src: origin + path + fragmentOf(isAsBuilt, scheme),
  })
  frame.style.cssText = `display:block;width:100%;border:0;color-scheme:${scheme}`
  return frame
}

/**
 * Keeps the form's place free, with a skeleton of it. Called once the iframe is in the page: its document is asked for then, and does
 * not wait until the page is laid out, which takes slow devices some time.
 */
export function keepPlace(frame: HTMLIFrameElement, { layout, language }: FrameTarget): void {
  const known = layout()
  frame.style.cssText += `;${skeletonOf(known, language === 'ar')}`
  if (known.maxWidth !== null) frame.style.maxWidth = `${known.maxWidth}px`
  setHeight(frame, known.height)
}

/** Also the least height: a page that stacks its parts in a column of a height (`flex-direction`) would make the frame lower than its form. */
export function setHeight({ style }: HTMLIFrameElement, height: number): void {
  style.height = style.minHeight = height === 0 ? '100%' : `${Math.ceil(height)}px`
}
