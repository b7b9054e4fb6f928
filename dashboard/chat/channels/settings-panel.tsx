import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  archiveChannel,
  listOwnChannels,
  type OwnChannel,
  unarchiveChannel,
} from '#contract/chat/channels.ts'
import { leaveChannel, listChannelMembers, setChannelNotification } from '#contract/chat/members.ts'
import { channelNotifications } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, useAction, useCall, useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import type { ChannelPanelProps } from '../panel.ts'
import { ChannelForm } from './channel-form.tsx'
import { useManages } from './channel-rights.ts'
import styles from './channels.module.css'
import { channelTexts, settingsTexts } from './channels.words.ts'

/** The settings of a channel: those of the person alone, and those for all who are in it. */
export function SettingsPanel({ channel, onClose }: ChannelPanelProps) {
  const text = useWords(settingsTexts)
  const manages = useManages()(channel)
  const isManaged = channel.type === 'CHANNEL' || channel.type === 'GROUP'
  const { name, description, customerReference, createdAt, type, isArchived } = channel
  return (
    <Sheet title={text.title} onClose={onClose}>
      <SheetSection>
        <div className={styles.part}>
          <Notification channel={channel} />
        </div>
        <div className={styles.part}>
          {manages && !isArchived ? (
            <ChannelForm channel={channel} />
          ) : (
            <>
              <Facts
                facts={[
                  { term: text.kind, value: text[type] },
                  { term: text.name, value: name },
                  { term: text.description, value: description },
                  { term: text.reference, value: customerReference },
                  { term: text.created, value: <Time value={createdAt} form="moment" /> },
                ]}
              />
              <p className={styles.quiet}>
                {!isManaged ? text.never : isArchived && manages ? text.isArchived : text.isManaged}
              </p>
            </>
          )}
        </div>
        {isManaged && (
          <div className={`${styles.part} ${styles.actions}`}>
            {manages && <Archiving channel={channel} />}
            <Leaving channel={channel} />
          </div>
        )}
      </SheetSection>
    </Sheet>
  )
}

function Notification({ channel: { id, notification } }: { channel: OwnChannel }) {
  const text = useWords(settingsTexts)
  const set = useAction(setChannelNotification)
  return (
    <RadioGroup
      label={text.notifications}
      options={channelNotifications.map(value => ({
        value,
        label: text[value],
        ...(value === 'NONE' && { hint: text.noneHint }),
      }))}
      value={(set.isPending && set.variables.body?.notification) || notification}
      onChange={next => set.mutate({ params: { id }, body: { notification: next } }, { toastsFailure: true })}
    />
  )
}

function Archiving({ channel }: { channel: OwnChannel }) {
  const text = useWords(settingsTexts)
  const { nobody } = useWords(channelTexts)
  const [isAsking, setAsking] = useState(false)
  const unarchive = useAction(unarchiveChannel)
  const params = { id: channel.id }
  if (channel.isArchived)
    return (
      <Button
        isBusy={unarchive.isPending}
        onPress={() =>
          unarchive.mutate(
            { params },
            {
              toast: () => text.unarchived,
              toastsFailure: true,
            },
          )
        }
      >
        {text.unarchive}
      </Button>
    )
  return (
    <>
      <Button onPress={() => setAsking(true)}>{text.archive}</Button>
      {isAsking && (
        <ConfirmAction
          operation={archiveChannel}
          input={{ params }}
          title={text.archiveTitle(channelName(channel, nobody))}
          action={text.archiveAction}
          onClose={() => setAsking(false)}
          toast={() => text.archived}
        >
          {text.archiveAbout}
        </ConfirmAction>
      )}
    </>
  )
}

function Leaving({ channel }: { channel: OwnChannel }) {
  const text = useWords(settingsTexts)
  const { nobody } = useWords(channelTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { id, address } = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const params = { id: channel.id }
  // owners come first, so the first members show whether there is another one
  const { items, total = 0 } = useList(listChannelMembers, { params, query: { limit: limits.pageLimit } })
  const cache = useQueryClient()
  const call = useCall()
  async function leave(): Promise<void> {
    // first away from the channel: once the person has left, it cannot be read any more
    await navigate({ to: `/o/${encodeURIComponent(address)}/channels` })
    try {
      await call(leaveChannel, { params })
      showToast({ text: text.left })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
    await cache.invalidateQueries({ queryKey: keyOf(id, listOwnChannels) })
  }
  const owners = items.filter(({ role }) => role === 'OWNER').length
  const isLastOwner = channel.role === 'OWNER' && owners === 1 && total > 1
  return (
    <>
      <Button kind="danger" isDisabled={isLastOwner} onPress={() => setAsking(true)}>
        {text.leave}
      </Button>
      {isLastOwner && <span className={styles.quiet}>{text.lastOwner}</span>}
      <Confirm
        title={text.leaveTitle(channelName(channel, nobody))}
        action={text.leaveAction}
        isOpen={isAsking}
        isDangerous
        onClose={() => setAsking(false)}
        onConfirm={() => void leave()}
      >
        {total === 1 ? text.leaveLast : text.leaveAbout}
      </Confirm>
    </>
  )
}
