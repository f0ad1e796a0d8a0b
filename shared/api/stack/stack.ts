import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Runtime } from '../../runtime.ts';
import type { Answer } from '../answer.ts';
import type { ApiEvent } from '../api-event.ts';
import type { Operation } from '../operation.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import { answerErrors } from './answer-errors.ts';
import { answerOnce } from './answer-once.ts';
import { authenticateCaller } from './authenticate-caller.ts';
import { cacheAnswers } from './cache-answers.ts';
import { confirmSession } from './confirm-session.ts';
import { dropBody } from './drop-body.ts';
import { edgeAddress } from './edge-address.ts';
import { limitRate, showRate } from './limit-rate.ts';
import { noteRefusals } from './note-refusals.ts';
import { observe } from './observe.ts';
import { openCall } from './open-call.ts';
import { pageForms } from './page-forms.ts';
import { limitSize, parseForm, parseJson } from './parse-body.ts';
import { problemDetails } from './problem-details.ts';
import { refuseForeignSites } from './refuse-foreign-sites.ts';
import { runOperation } from './run-operation.ts';
import { serverTiming } from './server-timing.ts';
import { validateInput } from './validate-input.ts';

/**
 * Builds the middleware stack, which is the same for all operations. A request goes down the list, its answer up: the
 * first seven only look at answers or change them.
 */
export const stackOf = (operation: Operation, runtime: Runtime, limiter: RateLimiter | undefined) =>
  middy<ApiEvent, Answer, Error, Context>(runOperation(operation)).use([
    observe(operation, runtime),
    dropBody(),
    serverTiming(runtime),
    showRate(),
    cacheAnswers(operation),
    problemDetails(operation, runtime),
    noteRefusals(operation, runtime),
    answerErrors(operation),
    edgeAddress(runtime),
    limitSize(operation),
    parseJson(),
    parseForm(),
    validateInput(operation, runtime),
    refuseForeignSites(operation),
    authenticateCaller(operation, runtime),
    limitRate(operation, limiter),
    openCall(operation, runtime),
    answerOnce(operation, runtime),
    confirmSession(),
    pageForms(operation, runtime),
  ]);
