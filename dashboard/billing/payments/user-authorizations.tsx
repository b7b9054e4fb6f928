import { useState } from 'react'
import {
  listAuthorizations,
  listPaymentMethods,
  readAuthorization,
  revokeAuthorization,
} from '#contract/billing/authorizations.ts'
import type { Reply } from '#contract/route.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Facts } from '../../parts/facts.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Money } from '../../parts/money.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { languageName } from '../settings/consent-version.ts'
import { DetailLink } from './detail-links.tsx'
import styles from './payments.module.css'
import { userTexts } from './users.words.ts'

type Authorization = Reply<typeof readAuthorization>
type SavedCard = Reply<typeof listPaymentMethods>['data'][number]

const looks = {
  PENDING: { icon: 'clock', kind: 'warn' },
  ACTIVE: { icon: 'done', kind: 'done' },
  EXPIRED: { icon: 'clock', kind: 'quiet' },
  REVOKED: { icon: 'close', kind: 'quiet' },
  INACTIVE: { icon: 'close', kind: 'quiet' },
} as const

/** The permissions to charge a user in their absence, and the cards that they saved. */
export function UserAuthorizations({
  name,
  ...user
}: {
  applicationId: string
  userId: string
  name: string
}) {
  const text = useWords(userTexts)
  const language = useLanguage()
  const authorizations = useList(listAuthorizations, { query: user }, { staleMs: 0 })
  const cards = useList(listPaymentMethods, { query: user }, { staleMs: 0 })
  const error = authorizations.error ?? cards.error
  if (error)
    return (
      <SheetSection>
        <Problem title={textOfError(error, language)} />
      </SheetSection>
    )
  if (authorizations.isLoading || cards.isLoading)
    return (
      <SheetSection>
        <Skeleton rows={4} label={text.reading} />
      </SheetSection>
    )
  return (
    <>
      <SheetSection>
        <h3 className={styles.subtitle}>{text.authorizations}</h3>
        {authorizations.items.length === 0 && <p className={styles.quiet}>{text.noAuthorizations}</p>}
        <div className={styles.cards}>
          {authorizations.items.map(authorization => (
            <AuthorizationCard
              key={authorization.id}
              authorization={authorization}
              cards={cards.items}
              userName={name}
            />
          ))}
        </div>
        <LoadMore {...authorizations} shown={authorizations.items.length} />
      </SheetSection>
      <SheetSection>
        <h3 className={styles.subtitle}>{text.cards}</h3>
        {cards.items.length === 0 && <p className={styles.quiet}>{text.noCards}</p>}
        <ul>
          {cards.items.map(card => (
            <li key={card.id} className={styles.card}>
              <CardName card={card} />
              <Status {...looks[card.status]}>{text[card.status]}</Status>
            </li>
          ))}
        </ul>
        <LoadMore {...cards} shown={cards.items.length} />
      </SheetSection>
    </>
  )
}

function CardName({ card: { brand, last4, expiresMonth, expiresYear } }: { card: SavedCard }) {
  const text = useWords(userTexts)
  return (
    <span>
      {`${brand.charAt(0).toUpperCase()}${brand.slice(1)} ···· ${last4}`}{' '}
      <span className={styles.quiet}>
        {text.cardExpires(String(expiresMonth).padStart(2, '0'), String(expiresYear))}
      </span>
    </span>
  )
}

function AuthorizationCard({
  authorization: listed,
  cards,
  userName,
}: {
  authorization: Authorization
  cards: readonly SavedCard[]
  userName: string
}) {
  const text = useWords(userTexts)
  const language = useLanguage()
  const may = useMay()
  const [isRevoking, setRevoking] = useState(false)
  // reading one that waits asks the gateway whether the card is there (AUTH-7)
  const read = useRead(
    readAuthorization,
    { params: { id: listed.id } },
    { enabled: listed.status === 'PENDING', staleMs: 0 },
  )
  const authorization = read.data ?? listed
  const { status, scope, invoiceId, currency, limitCents, consent, expiresAt, revokedAt } = authorization
  const card = cards.find(({ id }) => id === authorization.paymentMethodId)
  return (
    <Card
      level={3}
      title={text[scope]}
      beside={<Status {...looks[status]}>{text[status]}</Status>}
      actions={
        status !== 'REVOKED' &&
        may(revokeAuthorization) && (
          <Button kind="danger" size="small" onPress={() => setRevoking(true)}>
            {text.revoke}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          invoiceId !== null && {
            term: text.scope,
            value: (
              <DetailLink noun="invoice" id={invoiceId}>
                {text.openInvoice}
              </DetailLink>
            ),
          },
          { term: text.card, value: card ? <CardName card={card} /> : text.noCard },
          {
            term: text.limit,
            value: limitCents === null ? text.noLimit : <Money cents={limitCents} currency={currency} />,
          },
          {
            term: text.consent,
            value: (
              <>
                {text.consentOf(languageName(consent.locale, language), consent.version)}{' '}
                <Time value={consent.acceptedAt} form="moment" />
              </>
            ),
          },
          { term: text.expires, value: expiresAt ? <Time value={expiresAt} form="date" /> : text.never },
          revokedAt !== null && { term: text.revokedAt, value: <Time value={revokedAt} form="moment" /> },
        ]}
      />
      {isRevoking && <RevokeDialog id={listed.id} userName={userName} onClose={() => setRevoking(false)} />}
    </Card>
  )
}

function RevokeDialog({ id, userName, onClose }: { id: string; userName: string; onClose: () => void }) {
  const text = useWords(userTexts)
  return (
    <ConfirmAction
      operation={revokeAuthorization}
      input={{ params: { id }, body: {} }}
      refreshes={[listAuthorizations, listPaymentMethods, readAuthorization]}
      title={text.revokeQuestion(userName)}
      action={text.revokeAction(userName)}
      isDangerous
      onClose={onClose}
      toast={() => text.revoked}
    >
      {text.revokeAbout}
    </ConfirmAction>
  )
}
