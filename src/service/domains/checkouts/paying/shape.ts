import { SHAPING_STYLES } from '../../../../contract/page/checkout-shape.ts'
import type { CheckoutShape, ShapedForm } from '../../../../contract/page/checkout-shape.ts'
import { TEXT_KEYS } from '../../../../contract/page/widget-appearance.ts'
import type { Intent } from '../intents/intent.ts'
import { toSessionResource } from './session-resource.ts'

/** Of a style in the token: enough for a size, and no room for more. */
const MOST_CHARACTERS = 20

/** The shape of an intent's checkout, for its token: always the same for the same intent. */
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
    description: description?.length ?? 0,
    ...(language && { language }),
    ...(isOwn && { form }),
  }
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
      return size === undefined ? [] : [[name, size.slice(0, MOST_CHARACTERS)]]
    }),
  )
}
