import type { VNode } from 'preact'
import { TemplateResource } from '../../../contract/api/checkouts/checkout-template.ts'
import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'
import { useApp } from '../../app-context.ts'
import { Tabs } from '../../components/data/tabs.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useChange } from '../../loading/use-change.ts'
import { useResource } from '../../loading/use-resource.ts'
import { hrefWith } from '../../router/query.ts'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import type { GroupField, SchemaField } from './schema-form/schema-field.ts'
import { templateTexts } from './texts.ts'
import { optionWords, wordsFor } from './schema-form/place-words.ts'
import './changes/changes.css'
import { TemplateEditor } from './template-editor.tsx'
import type { TemplateDraft } from './template-editor.tsx'
import { NEWEST_VERSION, templateKind, VERSIONS } from './template-kind.ts'
import { typeIn } from './template-type.ts'

/** Makes a template: from nothing, or as a copy of another (`from` in the address). */
export function NewTemplatePage(): VNode {
  const { query } = useApp().router.place.value
  const from = query.get('from')
  const version = Number(query.get('version') ?? NEWEST_VERSION)
  return from === null ? (
    <FromNothing key={version} type={typeIn(query)} version={version} />
  ) : (
    <FromOther key={`${from} ${version}`} id={from} version={version} />
  )
}

/** Makes it, and goes to it. */
function useMake(type: TemplateType) {
  const { router, toasts } = useApp()
  const { send } = useChange()
  return async (body: TemplateDraft) => {
    const path = `/v1/checkouts/templates?type=${type}`
    const outcome = await send({ method: 'POST', path, body, answer: TemplateResource })
    if (outcome.kind === 'failed') return outcome.failure
    toasts.show(templateTexts.form.made)
    router.go(`/templates/${outcome.data._id}`)
    return null
  }
}

function FromNothing({ type, version }: { type: TemplateType; version: number }): VNode {
  const { place } = useApp().router
  const make = useMake(type)
  const kind = templateKind(type, version)
  if (kind === null) return <NotFoundPage />
  const tabs = VERSIONS.map((one) => ({
    href: hrefWith(place.value, { version: String(one) }),
    words: templateTexts.version(one),
    isCurrent: one === version,
  }))
  return (
    <>
      <PageHeader title={templateTexts.types[type].make} back={backTo(type)}>
        {templateTexts.form.versions}
      </PageHeader>
      <Tabs label={templateTexts.list.version} tabs={tabs} />
      <TemplateEditor
        type={type}
        kind={kind}
        version={version}
        original={null}
        submit={templateTexts.form.make}
        save={make}
      />
    </>
  )
}

function FromOther({ id, version }: { id: string; version: number }): VNode {
  const template = useResource(`/v1/checkouts/templates/${encodeURIComponent(id)}`, TemplateResource)
  return (
    <>
      {template.state.value.kind !== 'ready' && (
        <PageHeader
          title={templateTexts.copy.same}
          back={{ href: '/templates', words: templateTexts.back }}
        />
      )}
      <Loaded of={template}>{(original) => <Copy original={original} version={version} />}</Loaded>
    </>
  )
}

/** A copy, for another version or the same, with what that version changes. */
function Copy({ original, version }: { original: TemplateResource; version: number }): VNode {
  const { type, content } = original
  const make = useMake(type)
  const [before, after] = [templateKind(type, original.version), templateKind(type, version)]
  if (before === null || after === null) return <NotFoundPage />
  const { copy } = templateTexts
  const name = original.label ?? templateTexts.types[type].one
  return (
    <>
      <PageHeader title={copy.title(name, version)} back={backTo(type)}>
        {copy.about(original.version, version)}
      </PageHeader>
      {version !== original.version && (
        <SchemaNews before={before.field} after={after.field} version={version} />
      )}
      <TemplateEditor
        type={type}
        kind={after}
        version={version}
        original={{ label: copy.label(name), content }}
        submit={templateTexts.form.make}
        save={make}
      />
    </>
  )
}

function backTo(type: TemplateType) {
  return { href: `/templates?type=${type}`, words: templateTexts.back }
}

interface SchemaNewsProps {
  before: GroupField
  after: GroupField
  version: number
}

/** What a template of another version can say that this one could not, and the other way round. */
function SchemaNews({ before, after, version }: SchemaNewsProps): VNode {
  const { added, removed } = schemaChanges(before, after)
  const { copy } = templateTexts
  return (
    <div class="schema-news">
      <Notice tone="info">
        {added.length === 0 && removed.length === 0 && <p>{copy.noNews}</p>}
        <Places title={copy.news(version)} places={added} />
        <Places title={copy.gone(version)} places={removed} />
      </Notice>
    </div>
  )
}

function Places({ title, places }: { title: string; places: readonly string[] }): VNode | null {
  if (places.length === 0) return null
  return (
    <p>
      <strong>{title}:</strong> {places.join(', ')}.
    </p>
  )
}

/** What one version of a schema can say and another can't, in words. */
interface SchemaChanges {
  added: readonly string[]
  removed: readonly string[]
}

function schemaChanges(before: GroupField, after: GroupField): SchemaChanges {
  const [old, now] = [placesOf(before), placesOf(after)]
  return {
    added: outermost(now.filter((place) => !old.includes(place))),
    removed: outermost(old.filter((place) => !now.includes(place))),
  }
}

/** Without what lies within another one of them: a new choice is news, its options are not. */
function outermost(places: readonly string[]): string[] {
  return places.filter((place) => !places.some((other) => place.startsWith(`${other} › `)))
}

/** Every place of a schema, and every option of a choice, in words. */
function placesOf({ entries }: GroupField, above = ''): string[] {
  return entries.flatMap(({ name, field }) => {
    const place = above + wordsFor(name)
    return [place, ...withinOf(field, `${place} › `)]
  })
}

function withinOf(field: SchemaField, above: string): string[] {
  if (field.kind === 'group') return placesOf(field, above)
  if (field.kind === 'rows') return placesOf(field.row, above)
  if (field.kind === 'choice' || field.kind === 'ticks')
    return field.options.map((option) => above + optionWords(option))
  return []
}
