import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { VNode } from 'preact'
import {
  DefencesResource,
  DisputeResource,
  MAX_STATEMENT,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import type {
  DefenceResource,
  DisputeDocumentResource,
} from '../../../../contract/api/disputes/dispute-resource.ts'
import { inViewOf } from '../../../../contract/dashboard/people/session-view.ts'
import type { DefendRequest } from '../../../../contract/api/disputes/dispute-request.ts'
import type { Failure } from '../../../api/failure.ts'
import { useApp, useFormats } from '../../../app-context.ts'
import { Button } from '../../../components/actions/button.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Form } from '../../../components/form/form.tsx'
import { RadioGroup } from '../../../components/form/radio-group.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { useForm } from '../../../components/form/use-form.ts'
import type { FormFaults, FormState } from '../../../components/form/use-form.ts'
import { centsOf } from '../../../formats/cents.ts'
import { Loaded } from '../../../loading/loaded.tsx'
import { useChange } from '../../../loading/use-change.ts'
import { useResource } from '../../../loading/use-resource.ts'
import { useView } from '../../../session/use-view.ts'
import { Section } from '../../../shell/section.tsx'
import { EvidenceList, useEvidence } from './evidence.tsx'
import { documentsOf, missingOf, strangeIn } from './evidence-files.ts'
import { answerTexts } from './texts.ts'

interface AnswerProps {
  dispute: DisputeResource
  /** Shows the dispute that a change has answered. */
  replace: (dispute: DisputeResource) => void
  reload: () => Promise<void>
}

/** Where a dispute is answered: defended with files, or accepted, each after a question. */
export function AnswerSection(props: AnswerProps): VNode {
  const { dispute } = props
  const isAccepting = useSignal(false)
  const acts = useAnswerActs(props)
  return (
    <Section
      title={answerTexts.title}
      description={answerTexts.words}
      actions={<Button onClick={() => (isAccepting.value = true)}>{answerTexts.accept}</Button>}
    >
      {dispute.actions.includes('defend') ? (
        <Defences {...props} defend={acts.defend} />
      ) : (
        <p>{answerTexts.onlyAccept}</p>
      )}
      {isAccepting.value && (
        <AcceptDialog dispute={dispute} accept={acts.accept} close={() => (isAccepting.value = false)} />
      )}
    </Section>
  )
}

/** What a person answers with. Each resolves with null on success, else with the failure. */
interface AnswerActs {
  accept: () => Promise<Failure | null>
  defend: (body: DefendRequest) => Promise<Failure | null>
}

/**
 * The acts of the page, not of its dialogs: the same answer from a new dialog goes under the same idempotency key while it is unknown
 * what came of it. The service keeps an answer and sends it on; the page shows when the gateway has taken or refused it.
 */
function useAnswerActs({ dispute, replace, reload }: AnswerProps): AnswerActs {
  const { send } = useChange()
  const act = async (action: 'accept' | 'defend', body?: DefendRequest) => {
    const path = `/v1/disputes/${dispute._id}/${action}`
    const outcome = await send({ method: 'POST', path, ...(body && { body }), answer: DisputeResource })
    if (outcome.kind === 'failed') {
      // Where it can't be answered any more the dialog is gone after this, and a message tells why.
      await reload()
      return outcome.failure
    }
    replace(outcome.data)
    return null
  }
  return { accept: () => act('accept'), defend: (body) => act('defend', body) }
}

interface AcceptDialogProps {
  dispute: DisputeResource
  accept: AnswerActs['accept']
  close: () => void
}

function AcceptDialog({ dispute, accept, close }: AcceptDialogProps): VNode {
  const amount = useFormats().money(centsOf(dispute.amount), dispute.currency)
  const words = dispute.stage === 'inquiry' ? answerTexts.acceptInquiry : answerTexts.acceptWords
  return (
    <ConfirmDialog title={answerTexts.acceptTitle} confirm={answerTexts.accept} act={accept} close={close}>
      <p>{words(amount)}</p>
      {dispute.funds_withdrawn && <p>{answerTexts.acceptTaken}</p>}
    </ConfirmDialog>
  )
}

interface DefencesProps extends AnswerProps {
  defend: AnswerActs['defend']
}

/** Asks the gateway which defences there are. */
function Defences(props: DefencesProps): VNode {
  const defences = useResource(`/v1/disputes/${props.dispute._id}/defences`, DefencesResource)
  return (
    <Loaded of={defences} isEmpty={(all) => all.defences.length === 0} empty={<p>{answerTexts.noDefence}</p>}>
      {(offer) => <DefenceForm {...props} offer={offer} />}
    </Loaded>
  )
}

interface DefenceFormProps extends DefencesProps {
  offer: DefencesResource
}

function DefenceForm(props: DefenceFormProps): VNode {
  const { dispute, offer } = props
  const isTried = useSignal(false)
  const evidence = useEvidence({ ...props, takes: offer })
  const draft = useDraft(dispute)
  const form = useForm({
    initial: {
      defence: begunOf(offer.defences, dispute, draft.begun.defence),
      statement: draft.begun.statement,
    },
    check: useStatementCheck(),
    // Sends nothing: the question comes first.
    send() {
      isTried.value = true
      if (fault === null) question.ask()
      return Promise.resolve(null)
    },
  })
  const { defence, statement } = form.values.value
  useLayoutEffect(() => draft.keep({ defence, statement }), [defence, statement])
  useLeaveWarning(statement.trim() !== (dispute.answer?.statement ?? ''))
  const chosen = offer.defences.find(({ code }) => code === defence)
  const question = useQuestion(chosen, dispute.documents)
  const isUploading = Object.values(evidence.sending.value).some(({ kind }) => kind === 'sending')
  const fault = isUploading ? answerTexts.wait : faultOf(chosen, dispute.documents, offer)
  const told = [question.changed, isTried.value && fault].filter(Boolean).join(' ')
  return (
    <div class="answer">
      <Form form={form} submit={answerTexts.defend}>
        <DefenceChoice form={form} defences={offer.defences} />
        {chosen && <EvidenceList dispute={dispute} defence={chosen} offer={offer} evidence={evidence} />}
        {chosen && offer.takes_statement && (
          <TextField
            form={form}
            name="statement"
            label={answerTexts.statement}
            hint={answerTexts.statementHint}
            rows={5}
            isOptional
          />
        )}
        {told !== '' && <Notice tone="bad">{told}</Notice>}
      </Form>
      {question.files && chosen && (
        <DefendDialog
          files={question.files}
          defence={chosen}
          statement={offer.takes_statement ? statement.trim() : null}
          defend={props.defend}
          close={question.close}
        />
      )}
    </div>
  )
}

/**
 * The question before a defence is sent, about the files that it shows. If somebody changes them meanwhile it closes, and `changed` says
 * what is different: what is answered can't be taken back.
 */
function useQuestion(defence: DefenceResource | undefined, documents: DisputeResource['documents']) {
  const current = defence === undefined ? [] : documentsOf(defence, documents)
  /** Null: nothing is asked. */
  const files = useSignal<typeof current | null>(null)
  const changed = useSignal('')
  const ids = current.map(({ _id }) => _id).join()
  useLayoutEffect(() => {
    const asked = files.value
    if (asked === null) return
    const added = namesBeside(current, asked)
    const removed = namesBeside(asked, current)
    if (added.length + removed.length === 0) return
    files.value = null
    changed.value = answerTexts.changed(added, removed)
  }, [ids])
  return {
    files: files.value,
    changed: changed.value,
    ask() {
      files.value = current
      changed.value = ''
    },
    close: () => void (files.value = null),
  }
}

/** The names of those files that are not among others. */
function namesBeside(files: readonly DisputeDocumentResource[], others: typeof files): string[] {
  return files.filter(({ _id }) => others.every((one) => one._id !== _id)).map(({ name }) => name)
}

/**
 * What a person has chosen and written for a dispute's stage, kept while they look at other pages of the dashboard, such as the charge; at
 * first what the gateway did not take.
 */
function useDraft({ _id, stage, answer }: DisputeResource) {
  const { drafts } = useApp()
  const { user, merchant } = useView()
  const key = `${inViewOf(user.id, merchant.id)} ${_id} ${stage}`
  const statement = [drafts.get(key), answer?.statement].find(Boolean) ?? ''
  return {
    begun: { defence: drafts.get(`${key} defence`), statement },
    keep(draft: { defence: string; statement: string }) {
      drafts.set(key, draft.statement)
      drafts.set(`${key} defence`, draft.defence)
    },
  }
}

/** Has the browser ask before the page is left or loaded again, as words that were not sent are lost with it. */
function useLeaveWarning(hasUnsent: boolean): void {
  const { window } = useApp().browser
  useEffect(() => {
    if (!hasUnsent) return
    const warn = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [window, hasUnsent])
}

interface DefenceChoiceProps {
  form: FormState<'defence' | 'statement'>
  defences: readonly DefenceResource[]
}

/** Which defence it is; where there is but one, that is said. */
function DefenceChoice({ form, defences }: DefenceChoiceProps): VNode {
  const [only, ...others] = defences
  if (only !== undefined && others.length === 0) return <p>{only.description}</p>
  return (
    <RadioGroup
      form={form}
      name="defence"
      label={answerTexts.defences}
      options={defences.map(({ code, description }) => ({ value: code, words: description }))}
    />
  )
}

function useStatementCheck(): (values: { statement: string }) => FormFaults {
  const { number } = useFormats()
  return ({ statement }) => ({
    statement:
      Array.from(statement.trim()).length > MAX_STATEMENT
        ? answerTexts.statementFault(number(MAX_STATEMENT))
        : undefined,
  })
}

/**
 * The defence that is chosen at first: one that was chosen before, one that the gateway did not take, one for which files were added
 * before, or the only one.
 */
function begunOf(
  defences: readonly DefenceResource[],
  { answer, documents }: DisputeResource,
  drafted: string | undefined,
): string {
  const chosen = defences.find(({ code }) => code === drafted)
  const refused = defences.find(({ code }) => code === answer?.defence)
  const begun = defences.find((defence) =>
    defence.documents.some(({ type }) => documents.some((one) => one.type === type)),
  )
  return (chosen ?? refused ?? begun ?? (defences.length === 1 ? defences[0] : undefined))?.code ?? ''
}

/** What is still to be done before a defence can be sent; null if nothing. */
function faultOf(
  defence: DefenceResource | undefined,
  documents: DisputeResource['documents'],
  { defences }: DefencesResource,
): string | null {
  if (defence === undefined) return answerTexts.choose
  const { required, oneOf } = missingOf(defence, documents)
  const strange = strangeIn(documents, defences)
  const names = (all: typeof required) => all.map(({ description }) => description)
  const words = [
    required.length > 0 && answerTexts.missing(names(required)),
    oneOf.length > 0 && answerTexts.missingOneOf(names(oneOf)),
    strange.length > 0 && answerTexts.strange(strange.map(({ name }) => name)),
  ].filter((one) => one !== false)
  return words.length === 0 ? null : words.join(' ')
}

interface DefendDialogProps {
  files: readonly DisputeDocumentResource[]
  defence: DefenceResource
  /** '' for none; null where the gateway takes none. */
  statement: string | null
  defend: AnswerActs['defend']
  close: () => void
}

function DefendDialog({ files, defence, statement, defend, close }: DefendDialogProps): VNode {
  const body = {
    defence: defence.code,
    ...(statement !== null && statement !== '' && { statement }),
    documents: files.map(({ _id }) => _id),
  }
  return (
    <ConfirmDialog
      title={answerTexts.defendTitle}
      confirm={answerTexts.defend}
      tone="primary"
      act={() => defend(body)}
      close={close}
    >
      <p>{answerTexts.defendWords(defence.description, answerTexts.files(files.length))}</p>
      {files.length > 0 && (
        <ul class="defended-files">
          {files.map(({ _id, name }) => (
            <li key={_id}>{name}</li>
          ))}
        </ul>
      )}
      {statement === '' && <p>{answerTexts.withoutStatement}</p>}
      <p>{answerTexts.once}</p>
    </ConfirmDialog>
  )
}
