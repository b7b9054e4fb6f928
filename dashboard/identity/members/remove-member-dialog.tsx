import { useNavigate } from '@tanstack/react-router'
import { listMembers, removeMember } from '#contract/identity/organization.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useWords } from '../../words/words.ts'
import type { Member } from './member.ts'
import { memberTexts } from './members.words.ts'

/** Asks before a member is removed, or before the person leaves. */
export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useWords(memberTexts)
  const navigate = useNavigate()
  const { caller, name } = useOrganization()
  const isOwn = member.personId === caller.person.id
  return (
    <ConfirmAction
      operation={removeMember}
      input={{ params: { personId: member.personId } }}
      refreshes={isOwn ? [] : [listMembers]}
      title={isOwn ? text.leaveQuestion(name) : text.removeQuestion(member.name, name)}
      action={isOwn ? text.leaveAction : text.removeAction}
      isDangerous
      onClose={onClose}
      toast={isOwn ? undefined : () => text.removed(member.name)}
      onDone={isOwn ? () => navigate({ to: '/me' }) : undefined}
    >
      {isOwn ? text.leaveAbout : text.removeAbout}
    </ConfirmAction>
  )
}
