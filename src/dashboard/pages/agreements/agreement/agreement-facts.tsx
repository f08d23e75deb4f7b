import type { VNode } from 'preact'
import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { useFormats } from '../../../app-context.ts'
import { Facts } from '../../../components/data/facts.tsx'
import { IdText } from '../../../components/data/id-text.tsx'
import { Day } from '../../../formats/day.tsx'
import { Moment } from '../../../formats/moment.tsx'
import { Section } from '../../../shell/section.tsx'
import { termsWords } from '../terms/terms-words.ts'
import { typeTexts } from '../texts.ts'
import { agreementDetailTexts } from './texts.ts'

const { fields } = agreementDetailTexts

interface AgreementProps {
  agreement: AgreementResource
}

/** What the payer has agreed to, in words. */
export function TermsSection({ agreement }: AgreementProps): VNode {
  const words = termsWords(agreement.payment_terms, agreement, useFormats())
  const { end_date, next_collection_date: next } = agreement
  return (
    <Section title={agreementDetailTexts.terms}>
      <Facts
        facts={[
          [fields.amount, words.amount],
          [fields.often, words.often],
          [fields.who, words.who],
          [fields.first, words.first],
          [fields.last, words.last],
          [fields.start, <Day day={agreement.start_date} />],
          [fields.end, end_date === null ? agreementDetailTexts.noEnd : <Day day={end_date} />],
          [fields.next, next && <Day day={next} />],
        ]}
      />
    </Section>
  )
}

/** Everything else that is known of an agreement. */
export function AgreementFacts({ agreement }: AgreementProps): VNode {
  const { debtor, creditor, metadata } = agreement
  const names = Object.entries(metadata)
  return (
    <>
      <Section title={agreementDetailTexts.details}>
        <Facts
          facts={[
            [fields.payer, payerOf(debtor)],
            [fields.payerAccount, debtor.account ? accountOf(debtor.account) : debtor.pay_id?.value],
            [fields.creditor, creditor.name],
            [fields.creditorAccount, accountOf(creditor.account)],
            [fields.type, typeTexts[agreement.type]],
            [fields.purpose, agreement.purpose.replaceAll('_', ' ')],
            [fields.short, agreement.short_description],
            [fields.reference, agreement.reference],
            [fields.version, String(agreement.version)],
            [fields.created, <Moment at={agreement.created_at} />],
            [fields.updated, <Moment at={agreement.updated_at} />],
            [fields.answer, agreement.status === 'created' && <Moment at={agreement.response_required_by} />],
            [fields.id, <IdText id={agreement._id} label={agreementDetailTexts.idLabel} />],
          ]}
        />
      </Section>
      {names.length > 0 && (
        <Section title={agreementDetailTexts.metadata}>
          <Facts facts={names} />
        </Section>
      )}
    </>
  )
}

function payerOf({ name, type }: AgreementResource['debtor']): string {
  return type === 'organisation' ? `${name} (${agreementDetailTexts.organisation})` : name
}

function accountOf({ bsb, account_number }: { bsb: string; account_number: string }): string {
  return `${bsb} ${account_number}`
}
