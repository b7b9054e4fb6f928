import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { cancelMandate, createMandate, listMandates, type Mandate } from '#contract/billing/direct-debits.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { PaymentTabs } from '../payments/payment-tabs.tsx'
import styles from './direct-debits.module.css'
import { directDebitTexts } from './direct-debits.words.ts'
import { refreshes } from './refreshes.ts'
import { MandateStatus } from './states.tsx'

const MandateDialog = late(() => import('./mandate-dialog.tsx').then(dialog => dialog.MandateDialog))

/** The mandates that clients signed (SDD-3 to SDD-5). */
export function Mandates() {
  const text = useWords(directDebitTexts)
  const may = useMay()
  const [isNew, setNew] = useState(false)
  const [cancelled, setCancelled] = useState<Mandate>()
  const navigate = useNavigate()
  const { clientId } = useSearch({ from: '/o/$organization/payments/mandates' })
  const mandates = useList(listMandates, { query: clientId === undefined ? {} : { clientId } })
  const columns = useMemo(() => columnsOf(text), [text])
  const createText = useWords(actionTexts)['create-mandate']
  const create = may(createMandate) && (() => setNew(true))
  useCreateAction('create-mandate', createText, text.mandates, create)
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        create && (
          <CreateButton dialog={MandateDialog} onPress={create}>
            {createText}
          </CreateButton>
        )
      }
      below={
        <>
          <PaymentTabs current="mandates" />
          <div className={styles.bar}>
            {clientId !== undefined && (
              <FilterBar
                fields={[
                  {
                    id: 'clientId',
                    label: text.clientFilter,
                    values: [{ value: clientId, label: mandates.items[0]?.clientName ?? text.client }],
                  },
                ]}
                filters={{ clientId }}
                onChange={() => void navigate({ to: '.', search: {}, replace: true })}
              />
            )}
            {mandates.total !== undefined && (
              <Total count={mandates.total} label={text.totalMandates(mandates.total)} />
            )}
          </div>
        </>
      }
    >
      <ListGrid
        label={text.mandates}
        columns={columns}
        list={mandates}
        rowKey={({ id }) => id}
        rowLabel={({ reference, erasedAt }) => (erasedAt === null ? reference : text.erased)}
        rowMenu={mandate =>
          may(cancelMandate) && mandate.status !== 'CANCELLED'
            ? [
                {
                  id: 'cancel',
                  label: text.cancelMandate,
                  icon: 'close' as const,
                  isDangerous: true,
                  onAction: () => setCancelled(mandate),
                },
              ]
            : []
        }
        empty={
          <Empty title={text.noMandates} action={create && <Button onPress={create}>{createText}</Button>}>
            {text.noMandatesAbout}
          </Empty>
        }
      />
      {isNew && <MandateDialog onClose={() => setNew(false)} />}
      {cancelled && <CancelDialog mandate={cancelled} onClose={() => setCancelled(undefined)} />}
    </Page>
  )
}

function CancelDialog({ mandate: { id, reference }, onClose }: { mandate: Mandate; onClose: () => void }) {
  const text = useWords(directDebitTexts)
  return (
    <ConfirmAction
      operation={cancelMandate}
      input={{ params: { id } }}
      refreshes={refreshes}
      title={text.cancelMandateQuestion(reference)}
      action={text.cancelMandateAction}
      isDangerous
      isCancellation
      onClose={onClose}
      toast={() => text.mandateCancelled(reference)}
    >
      {text.cancelMandateAbout}
    </ConfirmAction>
  )
}

type ColumnTexts = Record<
  'reference' | 'client' | 'account' | 'scheme' | 'status' | 'signedOn' | 'erased',
  string
>

function columnsOf(text: ColumnTexts): Column<Mandate>[] {
  return [
    {
      id: 'reference',
      title: text.reference,
      width: 'minmax(140px, 2fr)',
      cell: ({ reference, erasedAt }) => (erasedAt === null ? reference : text.erased),
    },
    {
      id: 'client',
      title: text.client,
      width: 'minmax(160px, 3fr)',
      phone: 'below',
      cell: ({ clientName }) => clientName,
    },
    { id: 'account', title: text.account, width: '136px', cell: ({ maskedIban }) => maskedIban },
    { id: 'scheme', title: text.scheme, width: '80px', cell: ({ scheme }) => scheme },
    {
      id: 'status',
      title: text.status,
      width: '136px',
      phone: 'end',
      cell: ({ status }) => <MandateStatus status={status} />,
    },
    {
      id: 'signedOn',
      title: text.signedOn,
      width: '112px',
      align: 'end',
      cell: ({ signedOn }) => <Time value={signedOn} form="date" />,
    },
  ]
}
