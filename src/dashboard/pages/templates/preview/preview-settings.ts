import type { Configuration, Customisation } from '../../../../contract/api/checkouts/checkout-template.ts'
import type { PreviewSettings } from '../../../../contract/dashboard/templates/template-preview.ts'

/** What the form shows of a configuration, as a checkout's form gets it. */
export function configuredSettings({ schemes, fields }: Configuration): PreviewSettings {
  return {
    ...(fields && { fields }),
    ...(schemes && { card_icons: schemes, only_supported: true }),
  }
}

/** What the form shows of a customisation. `amount` stands for what is to be paid. */
export function customisedSettings(content: Customisation, amount: string): PreviewSettings {
  const { texts, styles, element_styles, theme, language } = content
  const button = texts?.submit_button?.replaceAll('{amount}', amount)
  return {
    texts: { ...texts, ...(button !== undefined && { submit_button: button }) },
    ...(styles && { styles }),
    ...(element_styles && { element_styles }),
    ...(theme && { theme }),
    ...(language && { language }),
  }
}
