import { type ReactNode, useState } from 'react'
import {
  getOperatedOrganization,
  listOrganizations,
  updateOperatedOrganization,
} from '#contract/identity/operator.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import type { Organization } from './organization.ts'
import { organizationTexts } from './organizations.words.ts'

const PlanDialog = late(() => import('./plan-dialog.tsx').then(dialog => dialog.PlanDialog))
const InviteOwnerDialog = late(() =>
  import('./invite-owner-dialog.tsx').then(dialog => dialog.InviteOwnerDialog),
)
const SuspendDialog = late(() => import('./suspend-dialog.tsx').then(dialog => dialog.SuspendDialog))

type Open = { kind: 'plan' | 'invite' | 'suspend'; organization: Organization }

/** The actions of operators on an organization, and the dialog that is open. */
export function useOrganizationActions(): {
  entriesOf: (organization: Organization) => MenuEntry[]
  dialog: ReactNode
} {
  const text = useWords(organizationTexts)
  const own = useOrganization()
  const [open, setOpen] = useState<Open>()
  const update = useAction(updateOperatedOrganization, {
    refreshes: [listOrganizations, getOperatedOrganization],
  })
  const close = () => setOpen(undefined)
  const change = (
    { id }: Organization,
    body: { suspended: false } | { publisherVerified: boolean },
    done: string,
  ) =>
    update.mutate(
      { params: { id }, body },
      {
        toast: () => done,
        toastsFailure: true,
      },
    )
  function suspension(organization: Organization): MenuEntry {
    const { id, name, suspendedAt } = organization
    if (suspendedAt !== null)
      return {
        id: 'resume',
        label: text.resume,
        icon: 'retry',
        onAction: () => change(organization, { suspended: false }, text.resumed(name)),
      }
    const isOwn = id === own.id
    return {
      id: 'suspend',
      label: text.suspend,
      icon: 'blocked',
      isDangerous: true,
      isDisabled: isOwn,
      ...(isOwn && { hint: text.own }),
      onAction: () => setOpen({ kind: 'suspend', organization }),
    }
  }
  function verification(organization: Organization): MenuEntry[] {
    const { name, publisherName, publisherVerified } = organization
    if (publisherName === null) return []
    return [
      {
        id: 'verify',
        label: publisherVerified ? text.unverify : text.verify,
        hint: publisherName,
        icon: 'check',
        onAction: () =>
          change(
            organization,
            { publisherVerified: !publisherVerified },
            publisherVerified ? text.unverifiedIt(name) : text.verifiedIt(name),
          ),
      },
    ]
  }
  return {
    entriesOf: organization => [
      {
        id: 'plan',
        label: text.changePlan,
        icon: 'edit',
        onAction: () => setOpen({ kind: 'plan', organization }),
      },
      {
        id: 'invite',
        label: text.inviteOwner,
        icon: 'mail',
        onAction: () => setOpen({ kind: 'invite', organization }),
      },
      ...verification(organization),
      suspension(organization),
    ],
    dialog: (
      <>
        {open?.kind === 'plan' && <PlanDialog organization={open.organization} onClose={close} />}
        {open?.kind === 'invite' && <InviteOwnerDialog organization={open.organization} onClose={close} />}
        {open?.kind === 'suspend' && <SuspendDialog organization={open.organization} onClose={close} />}
      </>
    ),
  }
}
