import { useOrganization } from '../../data/organization.tsx'
import { ReadingSection } from '../../data/reading-section.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, type SheetProps } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import { InvoiceBody } from './invoice-body.tsx'
import { InvoiceDialogs } from './invoice-dialogs.tsx'
import { useInvoice } from './invoice-reads.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import { titleOf } from './invoice-title.ts'
import { useInvoiceScreen } from './use-invoice-screen.tsx'

type InvoiceSheetProps = Pick<SheetProps, 'onClose' | 'onPrevious' | 'onNext'> & { invoiceId: string }

/** An invoice beside the list: the same as its page. */
export function InvoiceSheet({ invoiceId, ...sheet }: InvoiceSheetProps) {
  const text = useWords(invoiceTexts)
  const { address } = useOrganization()
  const pageHref = `/o/${encodeURIComponent(address)}/invoices/${invoiceId}`
  const read = useInvoice(invoiceId)
  if (read.data) return <LoadedSheet invoice={read.data} pageHref={pageHref} {...sheet} />
  return (
    <Sheet {...sheet} title={text.invoice} pageHref={pageHref}>
      <ReadingSection error={read.error} label={text.reading} />
    </Sheet>
  )
}

type LoadedSheetProps = Omit<InvoiceSheetProps, 'invoiceId'> & { invoice: Invoice; pageHref: string }

function LoadedSheet({ invoice, ...sheet }: LoadedSheetProps) {
  const text = useWords(invoiceTexts)
  const { actions, body, dialog } = useInvoiceScreen(invoice)
  return (
    <>
      <Sheet
        {...sheet}
        title={titleOf(invoice, text)}
        about={<InvoiceStatus invoice={invoice} />}
        menu={
          actions.length > 0 && (
            <MoreMenu
              label={text.more}
              groups={[
                { id: 'usual', entries: actions.filter(({ isDangerous }) => !isDangerous) },
                { id: 'dangerous', entries: actions.filter(({ isDangerous }) => isDangerous) },
              ]}
            />
          )
        }
      >
        <InvoiceBody {...body} isInSheet />
      </Sheet>
      <InvoiceDialogs {...dialog} />
    </>
  )
}
