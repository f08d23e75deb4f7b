import type { VNode } from 'preact'
import { PciKit } from '../../../contract/dashboard/company/pci.ts'
import type { ScriptEntry } from '../../../contract/dashboard/company/pci.ts'
import { CodeBlock } from '../../components/data/code-block.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.pci

const COLUMNS: readonly Column<ScriptEntry>[] = [
  { key: 'script', title: texts.columns.script, isLong: true, cell: ({ url }) => <code>{url}</code> },
  { key: 'place', title: texts.columns.place, cell: ({ place }) => texts.places[place] },
  { key: 'purpose', title: texts.columns.purpose, cell: ({ purpose }) => purpose },
  {
    key: 'integrity',
    title: texts.columns.integrity,
    isLong: true,
    cell: ({ integrity, assurance }) => (
      <>
        {assurance} <code>{integrity}</code>
      </>
    ),
  },
]

/** What an assessor asks of a payment page, about the release of the SDK that is in use. */
export function PciSection(): VNode {
  const kit = useResource('/api/pci', PciKit)
  return (
    <Loaded of={kit}>
      {({ release, scripts, script_tag: tag, content_security_policy: policy }) => (
        <Section title={texts.title} description={texts.description(release)}>
          <CodeBlock label={texts.tag} code={tag} />
          <CodeBlock label={texts.policy} code={policy} />
          <DataTable
            label={texts.scripts}
            columns={COLUMNS}
            rows={scripts}
            keyOf={({ url, integrity }) => `${url} ${integrity}`}
          />
        </Section>
      )}
    </Loaded>
  )
}
