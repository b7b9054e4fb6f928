import { useState } from 'react'
import {
  addBillingContact,
  type BillingContact,
  type Client,
  listBillingContacts,
  removeBillingContact,
  updateBillingContact,
} from '#contract/crm/clients.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { billingContactTexts } from './billing-contacts.words.ts'
import styles from './client-detail.module.css'

const BillingContactDialog = late(() =>
  import('./billing-contact-dialogs.tsx').then(dialogs => dialogs.BillingContactDialog),
)
const RemoveBillingContactDialog = late(() =>
  import('./billing-contact-dialogs.tsx').then(dialogs => dialogs.RemoveBillingContactDialog),
)

type Open = { kind: 'none' } | { kind: 'add' } | { kind: 'edit' | 'remove'; contact: BillingContact }

/** The people who receive the invoices of a client (CLI-5 to CLI-7). */
export function BillingContacts({ client, level }: { client: Client; level: HeadingLevel }) {
  const text = useWords(billingContactTexts)
  const may = useMay()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const menuOf = useMenu(client, setOpen)
  const close = () => setOpen({ kind: 'none' })
  const { data, error, refetch } = useRead(listBillingContacts, { params: { id: client.id } })
  const canChange = client.archivedAt === null
  const hasNoMain = data && data.items.length > 0 && !data.items.some(({ isMain }) => isMain)
  return (
    <>
      <DetailList
        level={level}
        title={text.title}
        about={
          data &&
          data.items.length > 0 && (
            <p className={styles.note}>
              {text.about} {hasNoMain && text.noMain}
            </p>
          )
        }
        rows={data?.items}
        total={data?.items.length}
        error={error}
        reload={() => void refetch()}
        rowKey={({ id }) => id}
        empty={text.none}
        action={
          canChange &&
          may(addBillingContact) && (
            <Button
              kind="quiet"
              size="small"
              icon="plus"
              onPress={() => setOpen({ kind: 'add' })}
              onHoverStart={BillingContactDialog.preload}
              onFocus={BillingContactDialog.preload}
            >
              {text.add}
            </Button>
          )
        }
        row={contact => (
          <DetailRow name={contact.name} about={contact.email}>
            {contact.isMain && <Tag>{text.main}</Tag>}
            {!contact.isActive && (
              <Status icon="blocked" kind="quiet">
                {text.inactive}
              </Status>
            )}
            {canChange && may(updateBillingContact) && (
              <MoreMenu
                label={text.actions(contact.name)}
                size="small"
                groups={[{ id: 'actions', entries: menuOf(contact) }]}
              />
            )}
          </DetailRow>
        )}
      />
      {open.kind === 'add' && <BillingContactDialog client={client} onClose={close} />}
      {open.kind === 'edit' && (
        <BillingContactDialog client={client} contact={open.contact} onClose={close} />
      )}
      {open.kind === 'remove' && (
        <RemoveBillingContactDialog client={client} contact={open.contact} onClose={close} />
      )}
    </>
  )
}

/** The actions of a billing contact; only an active one can become the main one. */
function useMenu(client: Client, open: (open: Open) => void): (contact: BillingContact) => MenuEntry[] {
  const text = useWords(billingContactTexts)
  const may = useMay()
  const update = useAction(updateBillingContact, { refreshes: [listBillingContacts] })
  function change(contact: BillingContact, body: { isMain?: true; isActive?: boolean }, done: string): void {
    update.mutate(
      { params: { id: client.id, billingContactId: contact.id }, body },
      {
        toast: () => done,
        toastsFailure: true,
      },
    )
  }
  return contact => {
    const { name, isMain, isActive } = contact
    const entries: (MenuEntry | false)[] = [
      { id: 'edit', label: text.edit, icon: 'edit', onAction: () => open({ kind: 'edit', contact }) },
      !isMain &&
        isActive && {
          id: 'main',
          label: text.makeMain,
          icon: 'check',
          onAction: () => change(contact, { isMain: true }, text.madeMain(name)),
        },
      {
        id: 'active',
        label: isActive ? text.deactivate : text.activate,
        icon: isActive ? 'blocked' : 'retry',
        onAction: () =>
          change(contact, { isActive: !isActive }, isActive ? text.deactivated(name) : text.activated(name)),
      },
      may(removeBillingContact) && {
        id: 'remove',
        label: text.remove,
        icon: 'trash',
        isDangerous: true,
        onAction: () => open({ kind: 'remove', contact }),
      },
    ]
    return entries.filter(entry => entry !== false)
  }
}
