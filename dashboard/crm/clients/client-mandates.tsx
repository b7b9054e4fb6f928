import { listMandates, type Mandate } from '#contract/billing/direct-debits.ts'
import type { Client } from '#contract/crm/clients.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Status, type StatusLook } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { shownDocuments } from './client-documents.tsx'
import { mandateStateTexts, mandateTexts } from './mandates.words.ts'

type Part = { client: Client; level: HeadingLevel }

/** The newest mandates of a client, for people who see direct debits. */
export function ClientMandates(part: Part) {
  const may = useMay()
  return may(listMandates) ? <MandatesOf {...part} /> : null
}

function MandatesOf({ client, level }: Part) {
  const text = useWords(mandateTexts)
  const hrefOf = useKnownHref()
  const query = { clientId: client.id, limit: shownDocuments }
  const { data, error, refetch } = useRead(listMandates, { query }, { staleMs: 0 })
  return (
    <DetailList
      level={level}
      title={text.title}
      rows={data?.items}
      total={data?.total}
      error={error}
      reload={() => void refetch()}
      rowKey={({ id }) => id}
      empty={text.none}
      action={
        data &&
        data.total > 0 && (
          <ButtonLink
            kind="quiet"
            size="small"
            href={hrefOf('payments/mandates', `?clientId=${encodeURIComponent(client.id)}`)}
          >
            {text.all}
          </ButtonLink>
        )
      }
      row={mandate => (
        <DetailRow
          name={mandate.erasedAt === null ? mandate.reference : text.erased}
          about={
            <>
              {mandate.erasedAt === null && `${mandate.debtorName} · ${mandate.maskedIban} · `}
              {text.signedOn} <Time value={mandate.signedOn} form="date" />
            </>
          }
        >
          <MandateState mandate={mandate} />
        </DetailRow>
      )}
    />
  )
}

const looks: Readonly<Record<Mandate['status'], StatusLook>> = {
  ACTIVE: { icon: 'done', kind: 'done' },
  USED: { icon: 'done', kind: 'quiet' },
  LAPSED: { icon: 'clock', kind: 'quiet' },
  CANCELLED: { icon: 'close', kind: 'quiet' },
}

function MandateState({ mandate: { status } }: { mandate: Mandate }) {
  return <Status {...looks[status]}>{mandateStateTexts[useLanguage()][status]}</Status>
}
