import { SHAPING_STYLES } from '../../../contract/page/checkout-shape.ts'
import type { CheckoutShape, ShapedForm } from '../../../contract/page/checkout-shape.ts'
import { TEXT_KEYS } from '../../../contract/page/widget-appearance.ts'
import type { Intent } from './intent.ts'
import { toSessionResource } from './session-resource.ts'

/** The most characters of a style in the token: enough for a size. */
const MAX_CHARACTERS = 20

/** The shape of an intent's form, for its token: always the same for the same intent. */
export function shapeOf(intent: Intent): CheckoutShape {
  const { configuration, customisation, description } = toSessionResource(intent, '')
  const { fields, card_icons } = configuration
  const { texts, styles, element_styles, theme, language } = customisation
  const isOwn = [fields, card_icons, texts, styles, element_styles, theme].some((part) => part !== undefined)
  const form: ShapedForm = {
    ...(theme && { theme }),
    ...(fields && { fields: fields.map(({ field }) => field) }),
    ...(card_icons && { card_icons }),
    ...(texts && { texts: titlesIn(texts) }),
    ...(styles && { styles: sizesIn(styles) }),
  }
  return {
    description: lengthOf(description ?? ''),
    ...(language && { language }),
    ...(isOwn && { form }),
  }
}

/** Characters as wide as they are high: each takes the room of two others. */
const wide =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{Emoji_Presentation}\uff01-\uff60]/u
/** Half-width forms of Katakana and Hangul. */
const narrow = /[\uff61-\uffdc]/
/** Accents and vowel signs above or below another character, and invisible characters. */
const withoutRoom = /[\p{Mn}\p{Cf}]/u

/** The length of a shown text, in characters of usual width. */
function lengthOf(text: string): number {
  return Array.from(text).reduce((length, character) => {
    if (withoutRoom.test(character)) return length
    return length + (wide.test(character) && !narrow.test(character) ? 2 : 1)
  }, 0)
}

function titlesIn(texts: NonNullable<ShapedForm['texts']>): NonNullable<ShapedForm['texts']> {
  const isTitle = (name: string) => name.startsWith('title')
  return Object.fromEntries(
    TEXT_KEYS.filter(isTitle).flatMap((name) => (texts[name] ? [[name, texts[name].slice(0, 1)]] : [])),
  )
}

function sizesIn(styles: NonNullable<ShapedForm['styles']>): NonNullable<ShapedForm['styles']> {
  return Object.fromEntries(
    SHAPING_STYLES.flatMap((name) => {
      const { [name]: size } = styles
      return size === undefined ? [] : [[name, size.slice(0, MAX_CHARACTERS)]]
    }),
  )
}
