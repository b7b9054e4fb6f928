import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import {
  createRemittance,
  importBankFile,
  listRemittances,
  previewBankFile,
  type Remittance,
  readCreditor,
} from '#contract/billing/direct-debits.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { CreateButton } from '../../parts/create-button.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Money } from '../../parts/money.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { dayText } from '../../parts/time-text.ts'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { PaymentTabs } from '../payments/payment-tabs.tsx'
import styles from './direct-debits.module.css'
import { directDebitTexts } from './direct-debits.words.ts'
import { RemittanceState } from './states.tsx'

const RemittanceSheet = late(() => import('./remittance-sheet.tsx').then(sheet => sheet.RemittanceSheet))
const CreditorDialog = late(() => import('./creditor-dialog.tsx').then(dialog => dialog.CreditorDialog))
const PrepareDialog = late(() => import('./prepare-dialog.tsx').then(dialog => dialog.PrepareDialog))
const ImportDialog = late(() => import('./import-dialog.tsx').then(dialog => dialog.ImportDialog))

/** The remittances of direct debits (SDD-6 to SDD-12). */
export function Remittances() {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const { open } = useSearch({ from: '/o/$organization/payments/direct-debits' })
  const [dialog, setDialog] = useState<'creditor' | 'prepare' | 'import'>()
  const remittances = useList(listRemittances)
  const columns = useMemo(() => columnsOf(text), [text])
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: id === undefined ? {} : { open: id }, replace: true })
  const close = () => setDialog(undefined)
  const createText = useWords(actionTexts)['create-remittance']
  const create = may(createRemittance) && (() => setDialog('prepare'))
  useCreateAction('create-remittance', createText, text.remittances, create)
  const entries: MenuEntry[] = [
    ...(may(importBankFile) && may(previewBankFile)
      ? [{ id: 'import', label: text.importResults, onAction: () => setDialog('import') }]
      : []),
    ...(may(readCreditor)
      ? [{ id: 'creditor', label: text.creditor, onAction: () => setDialog('creditor') }]
      : []),
  ]
  const index = remittances.items.findIndex(({ id }) => id === open)
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />
          {create && (
            <CreateButton dialog={PrepareDialog} onPress={create}>
              {createText}
            </CreateButton>
          )}
        </>
      }
      below={
        <>
          <PaymentTabs current="directDebits" />
          <div className={styles.bar}>
            {remittances.total !== undefined && (
              <Total count={remittances.total} label={text.totalRemittances(remittances.total)} />
            )}
          </div>
        </>
      }
    >
      <WithSheet
        sheet={
          open !== undefined && (
            <RemittanceSheet
              key={open}
              id={open}
              onClose={() => show(undefined)}
              {...neighboursOf(remittances.items, index, ({ id }) => show(id))}
            />
          )
        }
      >
        <ListGrid
          label={text.remittances}
          columns={columns}
          list={remittances}
          rowKey={({ id }) => id}
          rowLabel={({ collectionDate }) => text.collection(dayText(collectionDate, language))}
          onOpen={({ id }) => show(id)}
          current={open}
          empty={<Empty title={text.noRemittances}>{text.noRemittancesAbout}</Empty>}
        />
      </WithSheet>
      {dialog === 'creditor' && <CreditorDialog onClose={close} />}
      {dialog === 'import' && <ImportDialog onClose={close} />}
      {dialog === 'prepare' && (
        <PrepareDialog
          onClose={close}
          onPrepared={id => {
            close()
            show(id)
          }}
        />
      )}
    </Page>
  )
}

type ColumnTexts = Record<'collectionDate' | 'state' | 'count' | 'open' | 'total', string>

function columnsOf(text: ColumnTexts): Column<Remittance>[] {
  return [
    {
      id: 'collectionDate',
      title: text.collectionDate,
      width: 'minmax(140px, 2fr)',
      cell: ({ collectionDate }) => <Time value={collectionDate} form="date" />,
    },
    {
      id: 'state',
      title: text.state,
      width: '152px',
      phone: 'below',
      cell: ({ state }) => <RemittanceState state={state} />,
    },
    { id: 'count', title: text.count, width: '120px', align: 'end', cell: ({ count }) => count },
    { id: 'open', title: text.open, width: '120px', align: 'end', cell: ({ openCount }) => openCount },
    {
      id: 'total',
      title: text.total,
      width: '136px',
      align: 'end',
      phone: 'end',
      cell: ({ totalCents }) => <Money cents={totalCents} currency="eur" />,
    },
  ]
}
