export { Crews, type CrewCaller, type CrewAction, type CrewOrder, type CrewsOptions } from './crews.ts';
export { sessionEnd, LONGEST, type CrewSession } from './crew-sessions.ts';
export { isTo, LONGEST_MESSAGE, MESSAGE_MARKS, receiptOf, type MessageOrder } from './messages.ts';
export { CODE_DIGITS } from './sign-in-codes.ts';
