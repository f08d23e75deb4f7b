import * as v from 'valibot'
import { TEMPLATE_CONTENTS } from '../../../contract/api/checkouts/checkout-template.ts'
import type {
  TemplateType,
  Configuration,
  Customisation,
} from '../../../contract/api/checkouts/checkout-template.ts'
import { WORKFLOW_VERSIONS } from '../../../contract/api/checkouts/workflow-versions.ts'
import { isValueText } from '../../../contract/page/value-text.ts'
import type { PreviewSettings } from '../../../contract/dashboard/templates/template-preview.ts'
import { contentField } from './schema-form/schema-field.ts'
import type { GroupField } from './schema-form/schema-field.ts'

/** What templates of one type and version can say. */
export interface TemplateKind {
  schema: v.GenericSchema
  field: GroupField
  /** The preview's settings for a content; null for one that the schema refuses. `amount` is the sample amount to be paid. */
  settingsOf: (content: unknown, amount: string) => PreviewSettings | null
}

/** Null for a version that is not known. */
export function templateKind(type: TemplateType, version: number): TemplateKind | null {
  return type === 'configuration'
    ? kindOf(TEMPLATE_CONTENTS.configuration.get(version), configuredSettings)
    : kindOf(TEMPLATE_CONTENTS.customisation.get(version), customisedSettings)
}

function kindOf<Content>(
  schema: v.GenericSchema<unknown, Content> | undefined,
  settingsOf: (content: Content, amount: string) => PreviewSettings,
): TemplateKind | null {
  if (schema === undefined) return null
  return {
    schema,
    field: contentField(schema),
    settingsOf(content, amount) {
      const parsed = v.safeParse(schema, content)
      return parsed.success ? settingsOf(parsed.output, amount) : null
    },
  }
}

/** Every version, oldest first. */
export const VERSIONS: readonly number[] = WORKFLOW_VERSIONS.map(({ version }) => version)

/** The versions that are newer than one. */
export function versionsAfter(version: number): readonly number[] {
  return VERSIONS.filter((one) => one > version)
}

export const NEWEST_VERSION = Math.max(...VERSIONS)

/** What the form shows of a configuration, as a checkout's form gets it. */
function configuredSettings({ schemes, fields }: Configuration): PreviewSettings {
  return {
    ...(fields && { fields }),
    ...(schemes && { card_icons: schemes, only_supported: true }),
  }
}

/** What the form shows of a customisation. `amount` is the sample amount to be paid. */
function customisedSettings(content: Customisation, amount: string): PreviewSettings {
  const { texts, styles, element_styles, theme, layout, language } = content
  const button = texts?.submit_button?.replaceAll('{amount}', amount)
  return {
    texts: { ...texts, ...(button !== undefined && { submit_button: button }) },
    ...(styles && { styles }),
    ...(element_styles && { element_styles }),
    ...(theme && { theme }),
    ...(layout && { layout }),
    ...(language && { language }),
  }
}

const Styles = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((styles) =>
    Object.fromEntries(Object.entries(styles).filter(([, value]) => isValueText(value))),
  ),
)
const Content = v.looseObject({
  styles: v.optional(Styles),
  element_styles: v.optional(v.array(v.looseObject({ styles: Styles }))),
})

/**
 * A template's content without styles that every form ignores: an older template may have some, and the service refuses to take them again.
 * Its forms look the same.
 */
export function withoutIgnoredStyles(content: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return v.parse(Content, content)
}
