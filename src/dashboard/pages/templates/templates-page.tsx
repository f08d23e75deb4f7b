import * as v from 'valibot'
import type { VNode } from 'preact'
import { TEMPLATE_TYPES, TemplateResource } from '../../../contract/api/checkouts/checkout-template.ts'
import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'
import { useApp } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { Tabs } from '../../components/data/tabs.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Moment } from '../../formats/moment.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { hrefWith, pathWith } from '../../router/query.ts'
import { usePermits } from '../../session/use-view.ts'
import { typeIn } from './template-type.ts'
import { templateTexts } from './texts.ts'

const Templates = v.array(TemplateResource)
const { list: texts } = templateTexts

const COLUMNS: readonly Column<TemplateResource>[] = [
  {
    key: 'label',
    title: texts.label,
    cell: ({ label }) => label ?? <span class="soft">{templateTexts.unnamed}</span>,
  },
  { key: 'version', title: texts.version, cell: ({ version }) => version, align: 'end' },
  { key: 'revision', title: texts.revision, cell: ({ revision }) => revision, align: 'end' },
  { key: 'updated', title: texts.updated, cell: ({ updated_at }) => <Moment at={updated_at} /> },
  { key: 'id', title: texts.id, cell: ({ _id }) => <code>{_id}</code> },
]

/** The merchant's templates, of one type at a time. */
export function TemplatesPage(): VNode {
  const { place } = useApp().router
  const type = typeIn(place.value.query)
  const cursor = place.value.query.get('cursor')
  const templates = useResource(pathWith('/v1/checkouts/templates', { type, cursor }), Templates)
  const tabs = TEMPLATE_TYPES.map((one) => ({
    href: hrefWith(place.value, { type: one }),
    words: templateTexts.types[one].many,
    isCurrent: one === type,
  }))
  return (
    <>
      <PageHeader title={templateTexts.title} actions={<NewTemplate type={type} />}>
        {templateTexts.about}
      </PageHeader>
      <Tabs label={templateTexts.tabs} tabs={tabs} />
      <Loaded of={templates} isEmpty={(list) => list.length === 0} empty={<NoTemplates type={type} />}>
        {(list, { next }) => (
          <>
            <DataTable
              label={templateTexts.types[type].many}
              columns={COLUMNS}
              rows={list}
              keyOf={({ _id }) => _id}
              hrefOf={({ _id }) => `/templates/${_id}`}
            />
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </>
  )
}

function NewTemplate({ type }: { type: TemplateType }): VNode | null {
  if (!usePermits()('change')) return null
  return (
    <ButtonLink href={`/templates/new?type=${type}`} tone="primary" icon="plus">
      {templateTexts.types[type].make}
    </ButtonLink>
  )
}

function NoTemplates({ type }: { type: TemplateType }): VNode {
  const { title, words } = templateTexts.empty[type]
  return (
    <EmptyState icon="templates" title={title}>
      {words}
    </EmptyState>
  )
}
