import type { Configuration, Customisation } from '../../../../contract/api/checkouts/checkout-template.ts'
import { isValueText } from '../../../../contract/page/value-text.ts'
import { ServiceError } from '../../../platform/errors.ts'

const MESSAGE =
  'is not a CSS value that a form takes: it has none of ; { } \\ @ /* and no functions but those of colours and sizes'

/**
 * Throws `validation_error` for styles that every form ignores, whatever its browser. Asked when a template is written: those that were kept
 * before go on to be used.
 */
export function refuseStyles(content: Configuration | Customisation): void {
  const details = stylesOf(content).flatMap(([path, styles = {}]) =>
    Object.entries(styles)
      .filter(([, value]) => value !== undefined && !isValueText(value))
      .map(([name]) => ({ path: `${path}.${name}`, message: MESSAGE })),
  )
  if (details.length > 0)
    throw new ServiceError('validation_error', 'The template has styles that no form takes.', { details })
}

function stylesOf(
  content: Configuration | Customisation,
): (readonly [string, Readonly<Record<string, string | undefined>> | undefined])[] {
  const styles = 'styles' in content ? content.styles : undefined
  const ofElements = 'element_styles' in content ? content.element_styles : undefined
  return [
    ['content.styles', styles],
    ...(ofElements ?? []).map((one, at) => [`content.element_styles.${at}.styles`, one.styles] as const),
  ]
}
