import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { LabelMap } from './labelChanges.ts'
import { type LabelFailure, toLabelFailure } from './labelFailure.ts'

export type LabelNews = { kind: 'moved' | 'cleared' } | { kind: 'failed'; failure: LabelFailure }

type Session = {
  /** Query key of the labels to change. */
  queryKey: readonly string[]
  notifyTabs: () => void
  onNews: (news: LabelNews) => void
}

type Change<variables, answer> = {
  name: 'save' | 'removeAll' | 'move'
  send: (variables: variables) => Promise<answer>
  update: (labels: LabelMap, answer: answer, variables: variables) => LabelMap
  onSaved?: (variables: variables) => void
}

/** A failure was reported by `onNews`, unless the account has changed meanwhile. */
export type Outcome = 'saved' | 'failed'

/** Returns a function that changes labels, one request after the other. After the last request the list reloads. */
export function useLabelMutation<variables, answer>(
  { queryKey, notifyTabs, onNews }: Session,
  { name, send, update, onSaved }: Change<variables, answer>,
): (variables: variables) => Promise<Outcome> {
  const queryClient = useQueryClient()
  // After sign-out the account's query has no observer: nothing queued is sent, and late answers are dropped.
  const isCurrent = () => queryClient.getQueryCache().find({ queryKey, type: 'active' }) !== undefined
  const { mutateAsync } = useMutation({
    mutationKey: [...queryKey, name],
    scope: { id: queryKey.join() },
    networkMode: 'always',
    gcTime: 0,
    mutationFn: async (variables: variables) => {
      if (!isCurrent()) throw new Error('Not sent: the account has changed.')
      return send(variables)
    },
    // A list read before the change must not replace it.
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: (answer, variables) => {
      if (!isCurrent()) return
      queryClient.setQueryData<LabelMap>(queryKey, (labels) => labels && update(labels, answer, variables))
      notifyTabs()
      onSaved?.(variables)
    },
    onError: (error) => {
      if (isCurrent()) onNews({ kind: 'failed', failure: toLabelFailure(error) })
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: queryKey }) === 1) void queryClient.invalidateQueries({ queryKey })
    },
  })
  return useCallback(
    (variables: variables) =>
      mutateAsync(variables).then(
        () => 'saved' as const,
        () => 'failed' as const,
      ),
    [mutateAsync],
  )
}
