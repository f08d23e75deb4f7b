import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { TargetedDragEvent, VNode } from 'preact'
import * as v from 'valibot'
import { DisputeResource, MAX_EVIDENCE_BYTES } from '../../../../contract/api/disputes/dispute-resource.ts'
import type {
  DefenceResource,
  DefencesResource,
  DisputeDocumentResource,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import type { DocumentRequest } from '../../../../contract/api/disputes/dispute-request.ts'
import { inFull } from '../../../api/failure.ts'
import type { Failure } from '../../../api/failure.ts'
import { useApp } from '../../../app-context.ts'
import { ActButton } from '../../../components/actions/act-button.tsx'
import { Button } from '../../../components/actions/button.tsx'
import { useLateFailure } from '../../../components/feedback/use-late-failure.ts'
import { Icon } from '../../../components/icon.tsx'
import {
  base64Of,
  documentsOf,
  fileFault,
  keptName,
  sizeWords,
  strangeIn,
  typeOf,
  typesInWords,
} from './evidence-files.ts'
import type { Takes } from './evidence-files.ts'
import { evidenceTexts } from './texts.ts'

/** What happens to a file that was chosen for one type of document. */
type Sending = { kind: 'sending'; name: string; size: number } | { kind: 'fault'; words: string }

/** The files of a dispute, by the types of documents that they are. */
export interface Evidence {
  /** By type; a type without an entry has nothing on its way. */
  sending: ReadonlySignal<Readonly<Record<string, Sending>>>
  /** What has just been done, for screen readers. */
  said: ReadonlySignal<string>
  /** Checks and sends what was chosen or dropped for a type. */
  add: (type: string, files: readonly File[]) => void
  remove: (document: DisputeDocumentResource) => Promise<void>
}

interface EvidenceParts {
  dispute: DisputeResource
  takes: Takes
  replace: (dispute: DisputeResource) => void
  reload: () => Promise<void>
}

/** On a slow line a file of the largest size takes so long, in ms. */
const UPLOAD_MS = 300_000

const { faults } = evidenceTexts

/** Adds and removes the files of a dispute. They are sent one after the other, so that each answer has all files before it. */
export function useEvidence({ dispute, takes, replace, reload }: EvidenceParts): Evidence {
  const { api, toasts } = useApp()
  const sending = useSignal<Readonly<Record<string, Sending>>>({})
  const said = useSignal('')
  const queue = useRef(Promise.resolve())
  const tellIfGone = useLateFailure()
  const path = `/v1/disputes/${dispute._id}/documents`
  const put = (type: string, state: Sending | null) => {
    const others = Object.entries(sending.value).filter(([other]) => other !== type)
    sending.value = Object.fromEntries(state === null ? others : [...others, [type, state]])
  }
  const send = async (type: string, file: File) => {
    const name = keptName(file.name)
    const content = await base64Of(file)
    const contentType = typeOf(file.type, takes.content_types)
    if (content === null || contentType === undefined) {
      put(type, { kind: 'fault', words: faults.unreadable(name) })
      return
    }
    const body: DocumentRequest = { type, name, content_type: contentType, content }
    const outcome = await api.change({
      method: 'POST',
      path,
      body,
      answer: DisputeResource,
      timeoutMs: UPLOAD_MS,
    })
    if (outcome.kind === 'failed') {
      put(type, { kind: 'fault', words: wordsOf(outcome.failure, name) })
      tellIfGone(outcome.failure)
      await reload()
      return
    }
    replace(outcome.data)
    put(type, null)
    said.value = evidenceTexts.added(name)
  }
  return {
    sending,
    said,
    add(type, files) {
      const [file] = files
      if (file === undefined) return
      const others = sizesBeside(type, dispute.documents, sending.value)
      const fault = files.length > 1 ? faults.several : fileFault(file, others, takes)
      if (fault !== null) {
        put(type, { kind: 'fault', words: fault })
        return
      }
      put(type, { kind: 'sending', name: keptName(file.name), size: file.size })
      queue.current = queue.current.then(() => send(type, file))
    },
    async remove({ _id, name }) {
      const outcome = await api.change({ method: 'DELETE', path: `${path}/${_id}`, answer: v.unknown() })
      await reload()
      if (outcome.kind === 'failed') toasts.show(inFull(outcome.failure), { tone: 'bad' })
      else said.value = evidenceTexts.removed(name)
    },
  }
}

/** What the service says of a file, at best about the file itself, by its name. */
function wordsOf({ words, details }: Failure, name: string): string {
  return details.length === 0 ? words : details.map(({ message }) => faults.refused(name, message)).join(' ')
}

function sizesBeside(
  type: string,
  documents: readonly DisputeDocumentResource[],
  sending: Readonly<Record<string, Sending>>,
): number[] {
  const kept = documents.filter((one) => one.type !== type && sending[one.type]?.kind !== 'sending')
  const onTheirWay = Object.entries(sending).flatMap(([other, state]) =>
    other !== type && state.kind === 'sending' ? [state.size] : [],
  )
  return [...kept.map(({ size }) => size), ...onTheirWay]
}

interface EvidenceListProps {
  dispute: DisputeResource
  defence: DefenceResource
  offer: DefencesResource
  evidence: Evidence
}

/** A place for each document that a defence takes, with its file. */
export function EvidenceList({ dispute, defence, offer, evidence }: EvidenceListProps): VNode {
  useNoStrayDrops()
  const { content_types, max_total_bytes } = offer
  const strange = strangeIn(dispute.documents, offer.defences)
  const own = documentsOf(defence, dispute.documents)
  const others = dispute.documents.filter((one) => !own.includes(one) && !strange.includes(one))
  const apart = [
    { title: evidenceTexts.strange, words: evidenceTexts.strangeWords, files: strange },
    { title: evidenceTexts.others, words: evidenceTexts.othersWords, files: others },
  ].filter(({ files }) => files.length > 0)
  return (
    <div class="evidence">
      <h3>{evidenceTexts.title}</h3>
      <p class="hint">
        {evidenceTexts.limits(
          typesInWords(content_types),
          sizeWords(Math.min(MAX_EVIDENCE_BYTES, max_total_bytes)),
          sizeWords(max_total_bytes),
        )}
      </p>
      <ul aria-label={evidenceTexts.title}>
        {defence.documents.map((document) => (
          <EvidencePlace
            key={document.type}
            document={document}
            file={dispute.documents.find(({ type }) => type === document.type)}
            dispute={dispute}
            takes={offer}
            evidence={evidence}
          />
        ))}
      </ul>
      {apart.map(({ title, words, files }) => (
        <Fragment key={title}>
          <h3>{title}</h3>
          <p class="hint">{words}</p>
          <ul aria-label={title}>
            {files.map((file) => (
              <li key={file._id} class="evidence-place">
                <EvidenceFile disputeId={dispute._id} file={file} remove={() => evidence.remove(file)} />
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      <p class="unseen" role="status">
        {evidence.said.value}
      </p>
    </div>
  )
}

/** A file that is dropped beside its place would else take the place of the page. */
function useNoStrayDrops(): void {
  const { window } = useApp().browser
  useEffect(() => {
    const stop = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', stop)
    window.addEventListener('drop', stop)
    return () => {
      window.removeEventListener('dragover', stop)
      window.removeEventListener('drop', stop)
    }
  }, [window])
}

interface EvidencePlaceProps {
  document: DefenceResource['documents'][number]
  file: DisputeDocumentResource | undefined
  dispute: DisputeResource
  takes: Takes
  evidence: Evidence
}

/** One document of a defence: its file, or how to choose one. */
function EvidencePlace({ document, file, dispute, takes, evidence }: EvidencePlaceProps): VNode {
  const isOver = useSignal(false)
  const element = useRef<HTMLLIElement>(null)
  const state = evidence.sending.value[document.type]
  const wasSent = dispute.earlier_answers.some((one) => one.documents.some(({ _id }) => _id === file?._id))
  const isFree = file === undefined && state?.kind !== 'sending'
  // The button that was pressed goes away: without this the focus would be lost with it.
  const add = (files: FileList | null | undefined) => {
    element.current?.focus()
    evidence.add(document.type, [...(files ?? [])])
  }
  const drag = (isInside: boolean) => (event: TargetedDragEvent<HTMLLIElement>) => {
    event.preventDefault()
    isOver.value = isInside
  }
  return (
    <li
      ref={element}
      tabIndex={-1}
      class={isOver.value ? 'evidence-place over' : 'evidence-place'}
      {...(isFree && {
        onDragOver: drag(true),
        onDragLeave: drag(false),
        onDrop: (event) => {
          drag(false)(event)
          add(event.dataTransfer?.files)
        },
      })}
    >
      <div>
        <p class="evidence-name">{document.description}</p>
        <p class="soft">
          {evidenceTexts.requirements[document.requirement]}
          {wasSent && ` · ${evidenceTexts.sentBefore}`}
        </p>
      </div>
      {isFree ? (
        <FileChooser what={document.description} takes={takes} add={add} />
      ) : file === undefined || state?.kind === 'sending' ? (
        <UploadProgress state={state} />
      ) : (
        <EvidenceFile
          disputeId={dispute._id}
          file={file}
          remove={() => {
            element.current?.focus()
            return evidence.remove(file)
          }}
        />
      )}
      {file === undefined && <UploadFault state={state} />}
    </li>
  )
}

interface UploadProps {
  state: Sending | undefined
}

function UploadProgress({ state }: UploadProps): VNode | null {
  if (state?.kind !== 'sending') return null
  const words = evidenceTexts.sending(state.name)
  return (
    <div class="evidence-file">
      <progress aria-label={words} />
      <span class="soft">{words}</span>
    </div>
  )
}

function UploadFault({ state }: UploadProps): VNode | null {
  if (state?.kind !== 'fault') return null
  return (
    <p class="fault" role="alert">
      <Icon name="warning" /> {state.words}
    </p>
  )
}

interface FileChooserProps {
  /** What the file proves. */
  what: string
  takes: Takes
  add: (files: FileList | null) => void
}

function FileChooser({ what, takes, add }: FileChooserProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="evidence-file">
      <input
        ref={input}
        type="file"
        hidden
        aria-label={evidenceTexts.chooseFor(what)}
        accept={takes.content_types.join(',')}
        onChange={(event) => {
          const { currentTarget } = event
          add(currentTarget.files)
          // The same file, once it was put right, is a choice again.
          currentTarget.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>
        {evidenceTexts.choose}
        <span class="unseen">: {what}</span>
      </Button>
      <span class="soft drop-words">{evidenceTexts.drop}</span>
    </div>
  )
}

interface EvidenceFileProps {
  disputeId: string
  file: DisputeDocumentResource
  /** Absent: it stays. */
  remove?: () => Promise<void>
}

/** A file of a dispute, which can be saved. */
export function EvidenceFile({ disputeId, file, remove }: EvidenceFileProps): VNode {
  const { _id, name, size } = file
  return (
    <div class="evidence-file">
      <span class="evidence-link">
        <a class="link" href={`/v1/disputes/${disputeId}/documents/${_id}`} download={name}>
          {name}
        </a>{' '}
        <span class="soft">{sizeWords(size)}</span>
      </span>
      {remove && (
        <ActButton act={remove}>
          {evidenceTexts.remove}
          <span class="unseen"> {name}</span>
        </ActButton>
      )}
    </div>
  )
}
