import type { VNode } from 'preact'
import { Notice } from '../../../components/feedback/notice.tsx'
import type { GroupField } from '../schema-form/schema-field.ts'
import { templateTexts } from '../texts.ts'
import { schemaChanges } from './schema-changes.ts'
import './changes.css'

interface SchemaNewsProps {
  before: GroupField
  after: GroupField
  version: number
}

/** What a template of another version can say that this one could not, and the other way round. */
export function SchemaNews({ before, after, version }: SchemaNewsProps): VNode {
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
