import { CARD_ICONS } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { languageIn, stylesIn, textsIn, themeIn } from './appearance.ts'
import { shownFields } from './form-elements.ts'
import { knownNames } from './merchant-input.ts'

/** What a checkout's token says. It is not verified: the service does that, and explains a refusal. */
interface TokenContent {
  /** '' in text that is no token. */
  intentId: string
  /** Characters of the description. */
  description: number
  /** What the templates say of the form's shape; absent where they say nothing of how it looks. */
  form?: WidgetSettings
  language?: WidgetSettings['language']
}

/** Reads the intent's id and the shape of its checkout (`CheckoutShape`) out of a token. */
export function tokenContentOf(token: string): TokenContent {
  try {
    const [, payload = ''] = token.split('.')
    const { sub = '', shape } = partsOf(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))))
    const { description, form, language } = partsOf(shape)
    return {
      intentId: String(sub),
      description: Number(description) || 0,
      ...(language !== undefined && languageIn(language)),
      ...(form !== undefined && { form: formIn(partsOf(form)) }),
    }
  } catch {
    return { intentId: '', description: 0 }
  }
}

function formIn({ theme, styles, texts, card_icons, fields }: Record<string, unknown>): WidgetSettings {
  return {
    ...themeIn({}, typeof theme === 'string' ? theme : 'plain'),
    ...stylesIn(partsOf(styles)),
    ...textsIn(partsOf(texts)),
    ...(card_icons !== undefined && { card_icons: knownNames('card icons', CARD_ICONS, card_icons) }),
    ...(fields !== undefined && { fields: shownFields(fields) }),
  }
}

/** The parts of an object of JSON; none of anything else. */
function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' ? { ...value } : {}
}
