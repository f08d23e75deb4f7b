import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { VNode } from 'preact'
import { TemplateResource } from '../../../contract/api/checkouts/checkout-template.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { Copyable } from '../../components/data/copyable.tsx'
import { Moment } from '../../formats/moment.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Section } from '../../shell/section.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useUndo } from '../../loading/use-undo.ts'
import { useResource } from '../../loading/use-resource.ts'
import type { Resource } from '../../loading/resource.ts'
import type { PageProps } from '../../router/route.ts'
import { usePermits } from '../../session/use-view.ts'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { contentFacts } from './changes/content-changes.ts'
import { TemplatePreview } from './preview/template-preview.tsx'
import { TemplateEditor } from './template-editor.tsx'
import type { TemplateDraft } from './template-editor.tsx'
import { templateKind, versionsAfter, withoutIgnoredStyles } from './template-kind.ts'
import type { TemplateKind } from './template-kind.ts'
import * as v from 'valibot'
import { TemplateUse } from '../../../contract/dashboard/templates/template-use.ts'
import { useApp } from '../../app-context.ts'
import { Badge } from '../../components/data/badge.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import { CodeBlock } from '../../components/data/code-block.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { Money } from '../../formats/money.tsx'
import { pathWith } from '../../router/query.ts'
import { templateTexts } from './texts.ts'

/** Shown until the template's kind is known. */
const BACK = { href: '/templates', words: templateTexts.back }

/** One template: what it says, how that looks, and which checkouts use it. */
export function TemplatePage({ id }: PageProps): VNode {
  const resource = useResource(pathOf(id), TemplateResource)
  return (
    <>
      {resource.state.value.kind !== 'ready' && <PageHeader title={templateTexts.one} back={BACK} />}
      <Loaded of={resource}>
        {(template) => {
          const kind = templateKind(template.type, template.version)
          if (kind === null) return <NotFoundPage />
          return <TemplateView template={template} kind={kind} resource={resource} />
        }}
      </Loaded>
    </>
  )
}

interface TemplateViewProps {
  template: TemplateResource
  kind: TemplateKind
  resource: Resource<TemplateResource>
}

function TemplateView({ template, kind, resource }: TemplateViewProps): VNode {
  const mayChange = usePermits()('change')
  const { _id: id, type, version, label, revision, updated_at: updatedAt } = template
  const { types, list, back } = templateTexts
  return (
    <>
      <PageHeader
        title={label ?? templateTexts.unnamed}
        back={{ href: `/templates?type=${type}`, words: back }}
        actions={mayChange && <CopyLinks template={template} />}
      >
        {templateTexts.summary(types[type].one, version, revision)} <Moment at={updatedAt} />
      </PageHeader>
      <div class="template-id">
        <Copyable label={list.id} text={id} />
      </div>
      {mayChange ? (
        <Editable template={template} kind={kind} resource={resource} />
      ) : (
        <ReadOnlyTemplate template={template} kind={kind} />
      )}
      <TemplateUses template={template} />
    </>
  )
}

/** To each newer version, or where there is none, to the same. */
function CopyLinks({ template: { _id: id, version } }: { template: TemplateResource }): VNode {
  const newer = versionsAfter(version)
  const { action, same } = templateTexts.copy
  const targets = newer.length === 0 ? [version] : newer
  return (
    <>
      {targets.map((target) => (
        <ButtonLink key={target} icon="copy" href={`/templates/new?from=${id}&version=${target}`}>
          {target === version ? same : action(target)}
        </ButtonLink>
      ))}
    </>
  )
}

function Editable({ template, kind, resource }: TemplateViewProps): VNode {
  const { send } = useChange()
  const show = useUndo()
  /** After each the editor starts again, with what is saved. */
  const undoings = useSignal(0)
  const { _id: id, type, version, label, content, revision } = template
  const original = useMemo(() => ({ label: label ?? '', content }), [revision])
  const save = async (body: TemplateDraft) => {
    const outcome = await send({ method: 'PUT', path: pathOf(id), body, answer: TemplateResource })
    if (outcome.kind === 'failed') return outcome.failure
    resource.replace(outcome.data)
    show(templateTexts.form.saved, {
      path: pathOf(id),
      schema: TemplateResource,
      isStill: (now) => now.revision === outcome.data.revision,
      back: {
        method: 'PUT',
        path: pathOf(id),
        body: { version, content: withoutIgnoredStyles(content), ...(label !== null && { label }) },
      },
      async undone() {
        await resource.reload()
        undoings.value += 1
      },
    })
    return null
  }
  return (
    <Section title={templateTexts.settings}>
      <TemplateEditor
        key={undoings.value}
        type={type}
        kind={kind}
        version={version}
        original={original}
        submit={templateTexts.form.save}
        save={save}
      />
    </Section>
  )
}

/** For people who may not change it. */
function ReadOnlyTemplate({
  template: { content, version },
  kind,
}: Omit<TemplateViewProps, 'resource'>): VNode {
  const facts = contentFacts(kind.field, content)
  return (
    <Section title={templateTexts.settings}>
      <div class="template-editor">
        {facts.length === 0 ? <p class="soft">{templateTexts.noSettings}</p> : <Facts facts={facts} />}
        <TemplatePreview version={version} settings={kind.settingsOf(content, '')} />
      </div>
    </Section>
  )
}

function pathOf(id: string): string {
  return `/v1/checkouts/templates/${encodeURIComponent(id)}`
}

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
function TemplateUses({ template }: { template: TemplateResource }): VNode {
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
