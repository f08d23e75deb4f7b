import * as v from 'valibot'
import type { VNode } from 'preact'
import type { TemplateResource } from '../../../contract/api/checkouts/checkout-template.ts'
import { TemplateUse } from '../../../contract/dashboard/templates/template-use.ts'
import { useApp } from '../../app-context.ts'
import { Badge } from '../../components/data/badge.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import { CodeBlock } from '../../components/data/code-block.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Money } from '../../formats/money.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { pathWith } from '../../router/query.ts'
import { templateTexts } from './texts.ts'

const Uses = v.array(TemplateUse)
const { uses: texts } = templateTexts

const TONES: Readonly<Record<TemplateUse['status'], BadgeTone>> = {
  active: 'info',
  completed: 'good',
  expired: 'calm',
  cancelled: 'calm',
}

const COLUMNS: readonly Column<TemplateUse>[] = [
  {
    key: 'reference',
    title: texts.reference,
    cell: (use) => use.reference ?? <code>{use.checkout_id}</code>,
  },
  {
    key: 'status',
    title: texts.status,
    cell: ({ status }) => <Badge tone={TONES[status]}>{texts.statuses[status]}</Badge>,
  },
  {
    key: 'amount',
    title: texts.amount,
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    align: 'end',
  },
  { key: 'revision', title: texts.revision, cell: ({ revision }) => revision, align: 'end' },
  { key: 'made', title: texts.made, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** Which checkouts were made with a template. */
export function TemplateUses({ template }: { template: TemplateResource }): VNode {
  const cursor = useApp().router.place.value.query.get('cursor')
  const uses = useResource(pathWith(`/api/templates/${template._id}/checkouts`, { cursor }), Uses)
  return (
    <Section title={texts.title} description={texts.about}>
      <Loaded of={uses} isEmpty={(list) => list.length === 0} empty={<NoUses template={template} />}>
        {(list, { next }) => (
          <>
            <DataTable
              label={texts.title}
              columns={COLUMNS}
              rows={list}
              keyOf={({ checkout_id }) => checkout_id}
              hrefOf={({ checkout_id }) => `/checkouts/${checkout_id}`}
            />
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function NoUses({ template: { type, version, _id: id } }: { template: TemplateResource }): VNode {
  return (
    <>
      <p>{texts.empty}</p>
      <CodeBlock
        label={texts.code}
        code={JSON.stringify({ version, [type]: { template_id: id } }, null, 2)}
      />
    </>
  )
}
