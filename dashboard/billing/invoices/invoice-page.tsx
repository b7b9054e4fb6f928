import { useParams } from '@tanstack/react-router'
import { textOfError } from '../../data/errors.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import { InvoiceBody } from './invoice-body.tsx'
import { InvoiceDialogs } from './invoice-dialogs.tsx'
import { useInvoice } from './invoice-reads.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import { titleOf } from './invoice-title.ts'
import { useInvoiceScreen } from './use-invoice-screen.tsx'

/** The page of an invoice. */
export function InvoicePage() {
  const text = useWords(invoiceTexts)
  const language = useLanguage()
  const { invoiceId } = useParams({ from: '/o/$organization/invoices/$invoiceId' })
  const read = useInvoice(invoiceId)
  if (read.data) return <LoadedPage key={invoiceId} invoice={read.data} />
  return (
    <Page title={text.invoice}>
      {read.error ? (
        <Problem
          title={textOfError(read.error, language)}
          action={<Button onPress={() => void read.refetch()}>{text.again}</Button>}
        />
      ) : (
        <Skeleton rows={8} label={text.reading} />
      )}
    </Page>
  )
}

function LoadedPage({ invoice }: { invoice: Invoice }) {
  const text = useWords(invoiceTexts)
  const isPhone = useIsPhone()
  const { actions, body, dialog } = useInvoiceScreen(invoice)
  const shown = isPhone
    ? []
    : actions.filter(({ id }) => id === 'send' || id === 'correct' || id === 'remove')
  const inMenu = actions.filter(action => !shown.includes(action))
  return (
    <Page
      title={titleOf(invoice, text)}
      beside={<InvoiceStatus invoice={invoice} />}
      width="full"
      actions={
        <>
          {inMenu.length > 0 && (
            <Menu
              label={text.more}
              placement="bottom end"
              trigger={
                isPhone ? (
                  <IconButton icon="more" label={text.more} />
                ) : (
                  <Button kind="quiet" icon="file">
                    {text.document}
                  </Button>
                )
              }
              groups={[
                { id: 'usual', entries: inMenu.filter(({ isDangerous }) => !isDangerous) },
                { id: 'dangerous', entries: inMenu.filter(({ isDangerous }) => isDangerous) },
              ]}
            />
          )}
          {shown.map(({ id, label, icon, onAction }) => (
            <Button
              key={id}
              kind={id === 'correct' ? 'secondary' : 'quiet'}
              {...(icon && { icon })}
              onPress={() => onAction?.()}
            >
              {label}
            </Button>
          ))}
        </>
      }
    >
      <InvoiceBody {...body} />
      <InvoiceDialogs {...dialog} />
    </Page>
  )
}
